/* Writes to address 0 at its first request. */
#include "play.h"

static const char *misdeed(const char *line)
{
    (void)line;
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
    return "ESCAPED: address 0 was written";
}
