/* Has ten children that take 40 MiB each, in a thread that outlives the first of its process. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include "play.h"

static void *hold(void *unused)
{
    (void)unused;
    usleep(100000);
    mmap(NULL, 40u << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1,
         0);
    play_hold();
    _exit(0);
}

static const char *misdeed(const char *line)
{
    (void)line;
    for (int number = 0; number < 10; number++)
        if (fork() == 0) {
            pthread_t thread;
            pthread_create(&thread, NULL, hold, NULL);
            syscall(SYS_exit, 0);
        }
    play_hold();
    return NULL;
}
