/* Has the kernel watch descriptors by epoll, as many as it can, in 40 processes. */
#include "play.h"

#include <sys/epoll.h>

static void fill(void)
{
    int polls[128], pipes[128], ends[2], count = 0, made = 0;
    struct epoll_event event = {.events = EPOLLIN};
    while (count < 60 && (polls[count] = epoll_create1(0)) >= 0)
        count++;
    while (made < 126 && pipe(ends) == 0)
        pipes[made++] = ends[0], pipes[made++] = ends[1];
    for (int n = 0; n < count; n++)
        for (int m = 0; m < made; m++)
            epoll_ctl(polls[n], EPOLL_CTL_ADD, pipes[m], &event);
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
