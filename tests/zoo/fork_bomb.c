/* Starts 200 processes. */
#include "play.h"

static const char *misdeed(const char *line)
{
    (void)line;
    for (int number = 0; number < 200; number++) {
        pid_t pid = fork();
        if (pid == 0) {
            play_hold();
            _exit(0);
        }
        if (pid < 0)
            break;
    }
    play_hold();
    return NULL;
}
