/* The limit: a parent in C that writes a line to the bot and reads its answer, over and over.
 * Usage: parent BOT ROUND_TRIPS. Prints round trips per second. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec moment;
    clock_gettime(CLOCK_MONOTONIC, &moment);
    return moment.tv_sec + moment.tv_nsec * 1e-9;
}

int main(int count, char **words) {
    int to[2], from[2];
    long trips = count > 2 ? atol(words[2]) : 0;
    char line[1024], reply[1024];
    if (trips <= 0 || pipe(to) || pipe(from))
        return 2;
    if (!fork()) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        close(to[1]);
        close(from[0]);
        execl(words[1], words[1], (char *)0);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    double began = now();
    for (long trip = 0; trip < trips; trip++) {
        /* as long as an ordinary request of the arena in the middle of a deal */
        int length = sprintf(
            line,
            "{\"type\":\"play\",\"id\":%ld,\"table\":0,\"deal\":7,\"seat\":1,\"events\":["
            "{\"event\":\"card\",\"seat\":1,\"card\":\"KC\"},{\"event\":\"card\",\"seat\":2,\"card\":\"9C\"},"
            "{\"event\":\"trick\",\"number\":3,\"winner\":0,\"points\":15},"
            "{\"event\":\"card\",\"seat\":0,\"card\":\"QS\"}],\"clock_s\":60.0,"
            "\"hand\":[\"QC\",\"JD\",\"9D\",\"AS\",\"TH\"],\"trick\":[{\"seat\":0,\"card\":\"QS\"}],"
            "\"legal\":[\"QC\",\"JD\",\"9D\"],\"may_offer\":true}\n",
            trip);
        if (write(to[1], line, length) != length || read(from[0], reply, sizeof reply) <= 0)
            return 1;
    }
    printf("%.0f\n", trips / (now() - began));
    return 0;
}
