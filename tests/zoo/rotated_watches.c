/* Has the kernel watch 58 files under ever new numbers by 60 epolls, in 8 processes: an entry stays
   while its file is open anywhere. */
#include "play.h"
#include <sys/epoll.h>

enum { EPOLLS = 60, FILES = 58, FIRST = 3 + EPOLLS + FILES };

static void fill(void)
{
    int polls[EPOLLS], files[FILES], ends[2];
    struct epoll_event event = {.events = EPOLLIN};
    for (int number = 0; number < EPOLLS; number++)
        polls[number] = epoll_create1(0);
    for (int number = 0; number < FILES; number += 2) {
        if (pipe(ends) < 0)
            break;
        files[number] = ends[0];
        files[number + 1] = ends[1];
    }
    for (int number = FIRST - FILES; number < 128; number++)
        for (int file = 0; file < FILES; file++) {
            pid_t child = fork(); /* the number is the child's own, the entry everybody's */
            if (child == 0) {
                if (number != files[file] && dup2(files[file], number) == number)
                    for (int poll = 0; poll < EPOLLS; poll++)
                        epoll_ctl(polls[poll], EPOLL_CTL_ADD, number, &event);
                _exit(0);
            }
            waitpid(child, NULL, 0);
        }
    for (;;)
        pause();
}

static const char *misdeed(const char *line)
{
    (void)line;
    for (int child = 0; child < 8; child++)
        if (fork() == 0)
            fill();
    play_hold();
    return NULL;
}
