/* Sends an open file through a socket and closes it: it is then no process's own. Sends datagrams to
   an address of its choice, too. */
#include "play.h"

#include <sys/socket.h>
#include <sys/un.h>

static const char *misdeed(const char *line)
{
    int pair[2] = {-1, -1};
    char room[CMSG_SPACE(sizeof(int))] = {0}, byte = 0;
    struct iovec data = {&byte, 1};
    struct msghdr parcel = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    struct cmsghdr *head = CMSG_FIRSTHDR(&parcel);
    (void)line;
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &(int){STDERR_FILENO}, sizeof(int));
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0)
        act("file", sendmsg(pair[0], &parcel, MSG_DONTWAIT));
    act("datagrams", socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
    act("raw", socketpair(AF_UNIX, SOCK_RAW, 0, pair));
    return report();
}
