/* An instant bot for measuring the arena: reads lines, answers each with what comes first.
 * It bids the ordinary game at every fifth request, so that deals have declarers now and then. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char buffer[1 << 16];

/* The text behind a key, or NULL. */
static char *after(char *line, const char *key) {
    char *found = strstr(line, key);
    return found ? found + strlen(key) : NULL;
}

static void answer(char *line) {
    char out[128];
    int length = 0;
    char *type = after(line, "{\"type\":\"");
    char *id = after(line, "\"id\":");
    char *legal = after(line, "\"legal\":[\"");
    if (!type)
        return;
    if (!strncmp(type, "hello", 5))
        length = sprintf(out, "{\"type\":\"ready\",\"protocol\":1}\n");
    else if (!strncmp(type, "play", 4) && legal)
        length = sprintf(out, "{\"type\":\"play\",\"id\":%d,\"card\":\"%.2s\"}\n", atoi(id), legal);
    else if (!strncmp(type, "bid", 3)) {
        int number = atoi(id);
        const char *bid = number % 5 ? "pass" : "ordinary";
        length = sprintf(out, "{\"type\":\"bid\",\"id\":%d,\"bid\":\"%s\"}\n", number, bid);
    } else if (!strncmp(type, "discard", 7)) {
        char *hand = after(line, "\"hand\":[\"");
        length = sprintf(out, "{\"type\":\"discard\",\"id\":%d,\"cards\":[\"%.2s\",\"%.2s\"]}\n",
                         atoi(id), hand + 8 * 5, hand + 9 * 5);
    }
    if (length && write(1, out, length) != length)
        exit(1);
}

int main(void) {
    size_t held = 0;
    for (;;) {
        ssize_t got = read(0, buffer + held, sizeof buffer - 1 - held);
        if (got <= 0)
            return 0;
        held += got;
        char *line = buffer, *end;
        while ((end = memchr(line, '\n', buffer + held - line))) {
            *end = 0;
            answer(line);
            line = end + 1;
        }
        held -= line - buffer;
        memmove(buffer, line, held);
    }
}
