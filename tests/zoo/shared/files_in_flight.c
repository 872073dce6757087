/* Sends open files into sockets that nobody reads, as many as it can, in 40 processes. */
#include "play.h"

#include <sys/socket.h>

static void fill(void)
{
    int ends[2];
    char byte = 0, room[CMSG_SPACE(sizeof(int) * 64)] = {0};
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = room,
                             .msg_controllen = sizeof room};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int) * 64);
    while (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0)
        while (sendmsg(ends[0], &message, MSG_DONTWAIT) > 0)
            ;
    for (;;)
        pause();
}

static const char *misdeed(const char *line)
{
    (void)line;
    for (int n = 0; n < 40; n++)
        if (fork() == 0)
            fill();
    sleep(1);
    return "held: it is for the arena to keep some for others";
}
