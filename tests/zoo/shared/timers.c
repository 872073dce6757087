/* Makes timers, as many as it can, and keeps them until the match is over. */
#include "play.h"

#include <time.h>

static const char *misdeed(const char *line)
{
    (void)line;
    timer_t timer;
    struct sigevent none = {.sigev_notify = SIGEV_NONE};
    for (int n = 0; n < 500000 && timer_create(CLOCK_MONOTONIC, &none, &timer) == 0; n++)
        ;
    return "held: it is for the arena to keep some for others";
}
