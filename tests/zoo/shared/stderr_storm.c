/* Writes to its standard error in 40 processes, as fast as the arena reads. */
#include "play.h"

static const char *misdeed(const char *line)
{
    static char text[65536];
    (void)line;
    memset(text, 'x', sizeof text);
    for (int child = 0; child < 40; child++)
        if (fork() == 0)
            for (;;)
                if (write(2, text, sizeof text) < 0)
                    _exit(1);
    return NULL;
}
