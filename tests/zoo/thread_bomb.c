/* Starts 200 threads. */
#include "play.h"

#include <pthread.h>

static void *rest(void *nothing)
{
    play_hold();
    return nothing;
}

static const char *misdeed(const char *line)
{
    (void)line;
    pthread_t thread;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    for (int number = 0; number < 200; number++)
        if (pthread_create(&thread, &small, rest, NULL))
            break;
    play_hold();
    return NULL;
}
