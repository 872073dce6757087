/* Has 50 processes with 60 epoll descriptors each, which watch each of 60 event counters. */
#include "play.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>

static void hold(void)
{
    int events[60];
    for (int number = 0; number < 60; number++)
        events[number] = eventfd(0, 0);
    for (int number = 0; number < 60; number++) {
        int waiter = epoll_create1(0);
        struct epoll_event event = {.events = EPOLLIN};
        for (int other = 0; other < 60 && waiter >= 0; other++)
            epoll_ctl(waiter, EPOLL_CTL_ADD, events[other], &event);
    }
    sleep(15);
    _exit(0);
}

static const char *misdeed(const char *line)
{
    (void)line;
    for (int number = 0; number < 50; number++)
        if (fork() == 0)
            hold();
    sleep(2);
    return "held: counters";
}
