/* An instant bot for measuring the arena: reads lines, answers each with what comes first, and
 * writes all answers to what it has read at once. It bids the ordinary game in every fifth deal, so
 * that deals have declarers now and then. Usage: bot [TABLES]. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char buffer[1 << 16], said[1 << 16];
static size_t saying;
static int tables = 1;

/* The text behind a key, or NULL. */
static char *after(char *line, const char *key) {
    char *found = strstr(line, key);
    return found ? found + strlen(key) : NULL;
}

static void answer(char *line) {
    char *out = said + saying;
    int length = 0;
    char *type = after(line, "{\"type\":\"");
    char *id = after(line, "\"id\":");
    char *legal = after(line, "\"legal\":[\"");
    if (!type)
        return;
    if (!strncmp(type, "hello", 5))
        length = sprintf(out, "{\"type\":\"ready\",\"protocol\":1,\"tables\":%d}\n", tables);
    else if (!strncmp(type, "play", 4) && legal)
        length = sprintf(out, "{\"type\":\"play\",\"id\":%d,\"card\":\"%.2s\"}\n", atoi(id), legal);
    else if (!strncmp(type, "bid", 3)) {
        const char *bid = atoi(after(line, "\"deal\":")) % 5 ? "pass" : "ordinary";
        length = sprintf(out, "{\"type\":\"bid\",\"id\":%d,\"bid\":\"%s\"}\n", atoi(id), bid);
    } else if (!strncmp(type, "discard", 7)) {
        char *hand = after(line, "\"hand\":[\"");
        length = sprintf(out, "{\"type\":\"discard\",\"id\":%d,\"cards\":[\"%.2s\",\"%.2s\"]}\n",
                         atoi(id), hand + 8 * 5, hand + 9 * 5);
    }
    saying += length;
}

int main(int count, char **words) {
    size_t held = 0;
    if (count > 1)
        tables = atoi(words[1]);
    for (;;) {
        ssize_t got = read(0, buffer + held, sizeof buffer - 1 - held);
        if (got <= 0)
            return 0;
        held += got;
        char *line = buffer, *end;
        saying = 0;
        while ((end = memchr(line, '\n', buffer + held - line))) {
            *end = 0;
            answer(line);
            line = end + 1;
        }
        if (saying && write(1, said, saying) != (ssize_t)saying)
            return 1;
        held -= line - buffer;
        memmove(buffer, line, held);
    }
}
