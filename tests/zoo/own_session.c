/* Takes a session of its own, for which some kernels set a share of the core aside. */
#include "play.h"

static long session(long unused)
{
    (void)unused;
    return setsid();
}

static const char *misdeed(const char *line)
{
    (void)line;
    aside("setsid", session, 0);
    return report();
}
