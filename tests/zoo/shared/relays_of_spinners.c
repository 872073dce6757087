/* Computes in 20 processes, each of which moves on every 5 ms into a child that nobody waits for. */
#include "play.h"

#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static const char *misdeed(const char *line)
{
    (void)line;
    signal(SIGCHLD, SIG_IGN);
    for (int n = 0; n < 20; n++)
        if (fork() == 0)
            for (;;) {
                for (double end = now() + 0.005; now() < end;)
                    ;
                if (fork() > 0)
                    _exit(0);
            }
    return "held: it is for the arena to share the core";
}
