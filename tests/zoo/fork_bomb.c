/* Starts 200 processes that leave after 20 seconds. */
#include "play.h"

static const char *misdeed(const char *line)
{
    (void)line;
    for (int number = 0; number < 200; number++) {
        pid_t pid = fork();
        if (pid == 0) {
            sleep(20);
            _exit(0);
        }
        if (pid < 0)
            break;
    }
    usleep(500000);
    return NULL;
}
