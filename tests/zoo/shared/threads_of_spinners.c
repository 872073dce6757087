/* Computes in 60 threads until the match is over. */
#include "play.h"

#include <pthread.h>

static void *spin(void *nothing)
{
    for (;;)
        ;
    return nothing;
}

static const char *misdeed(const char *line)
{
    (void)line;
    pthread_t thread;
    for (int n = 0; n < 60; n++)
        pthread_create(&thread, NULL, spin, NULL);
    return "held: it is for the arena to share the core";
}
