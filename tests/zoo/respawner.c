/* Leaves a process behind that moves on into a new child and a new session every 10 ms, for 20 s. */
#include "play.h"

#include <time.h>

static const char *misdeed(const char *line)
{
    (void)line;
    if (fork() == 0) {
        for (time_t end = time(NULL) + 20; time(NULL) < end;) {
            if (fork() != 0)
                _exit(0);
            setsid();
            usleep(10000);
        }
        _exit(0);
    }
    wait(NULL);
    return "held: it is for the arena to end what was left";
}
