/* Takes 400 MiB of memory for itself. */
#include "play.h"

static const char *misdeed(const char *line)
{
    (void)line;
    for (int part = 0; part < 10; part++) {
        char *taken = malloc(40 << 20);
        if (taken == NULL)
            break;
        memset(taken, 1, 40 << 20);
    }
    play_hold();
    return NULL;
}
