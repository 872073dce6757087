/* Opens pipes in 40 processes, as many as it can, and keeps them until the match is over. */
#include "play.h"

static const char *misdeed(const char *line)
{
    (void)line;
    for (int n = 0; n < 40; n++)
        if (fork() == 0) {
            int ends[2];
            while (pipe(ends) == 0)
                ;
            for (;;)
                pause();
        }
    sleep(1);
    return "held: it is for the arena to keep some for others";
}
