/* Starts processes until the kernel refuses, and ends them at once, again and again. */
#include "play.h"

static void burst(void)
{
    pid_t pids[4000];
    int count = 0;
    while (count < 4000 && (pids[count] = fork()) >= 0) {
        if (pids[count] == 0) {
            pause();
            _exit(0);
        }
        count++;
    }
    while (count > 0)
        kill(pids[--count], SIGKILL);
    while (wait(NULL) > 0)
        ;
}

static const char *misdeed(const char *line)
{
    (void)line;
    if (fork() == 0)
        for (;;)
            burst();
    return NULL;
}
