/* Becomes a program of another kind: with fixed addresses, executable data, or an older kernel. */
#include "play.h"

#include <sys/personality.h>

static long becomes(long kind)
{
    return personality(kind);
}

static const char *misdeed(const char *line)
{
    (void)line;
    aside("fixed addresses", becomes, ADDR_NO_RANDOMIZE);
    aside("executable data", becomes, READ_IMPLIES_EXEC);
    aside("old kernel", becomes, UNAME26);
    aside("32 bits", becomes, PER_LINUX32);
    return report();
}
