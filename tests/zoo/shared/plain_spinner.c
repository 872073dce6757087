/* Computes in a child, as a bot does that thinks while others are asked, until the match is over. */
#include "play.h"

static const char *misdeed(const char *line)
{
    (void)line;
    if (fork() == 0)
        for (;;)
            ;
    return "held: it is for the arena to share the core";
}
