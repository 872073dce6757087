/* Leaves signals pending, queued to itself and raised, as many as it can, until the match is over. */
#include "play.h"

static const char *misdeed(const char *line)
{
    (void)line;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    union sigval nothing = {0};
    for (int n = 0; n < 500000 && sigqueue(getpid(), SIGRTMIN, nothing) == 0; n++)
        ;
    for (int n = 0; n < 200000; n++)
        kill(getpid(), SIGRTMIN + 1);
    return "held: it is for the arena to keep some for others";
}
