/* Computes in 50 processes, each of a session of its own, until the match is over. */
#include "play.h"

static const char *misdeed(const char *line)
{
    (void)line;
    for (int n = 0; n < 50; n++)
        if (fork() == 0) {
            setsid();
            for (;;)
                ;
        }
    return "held: it is for the arena to share the core";
}
