/* Goes on in a second thread after its first has ended, and takes 400 MiB. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#define main play_main
#include "play.h"
#undef main

static const char *misdeed(const char *line)
{
    (void)line;
    for (int part = 0; part < 100; part++) {
        mmap(NULL, 4u << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
             -1, 0);
        usleep(5000);
    }
    play_hold();
    return NULL;
}

static void *go_on(void *unused)
{
    char *words[] = {"bot", NULL};
    (void)unused;
    exit(play_main(1, words));
}

int main(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, go_on, NULL))
        return 1;
    syscall(SYS_exit, 0);
}
