/* The limit: a parent in C that writes a line to a bot and reads its answer, over and over.
 * Usage: parent BOT ROUND_TRIPS BOTS. Several bots are asked in turn. Prints round trips per second. */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 8 };

static double now(void) {
    struct timespec moment;
    clock_gettime(CLOCK_MONOTONIC, &moment);
    return moment.tv_sec + moment.tv_nsec * 1e-9;
}

/* Start a bot whose input and output are ours to use; nothing else of ours stays open in it. */
static int begin(char *program, int *to, int *from) {
    int in[2], out[2];
    if (pipe(in) || pipe(out))
        return 0;
    if (!fork()) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        for (int other = 3; other < 64; other++)
            close(other);
        execl(program, program, (char *)0);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    *to = in[1];
    *from = out[0];
    return 1;
}

int main(int count, char **words) {
    int to[MOST], from[MOST];
    long trips = count > 3 ? atol(words[2]) : 0;
    int bots = count > 3 ? atoi(words[3]) : 0;
    char line[1024], reply[1024];
    if (trips <= 0 || bots < 1 || bots > MOST)
        return 2;
    for (int bot = 0; bot < bots; bot++)
        if (!begin(words[1], &to[bot], &from[bot]))
            return 2;
    double began = now();
    for (long trip = 0; trip < trips; trip++) {
        int bot = trip % bots;
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
        if (write(to[bot], line, length) != length || read(from[bot], reply, sizeof reply) <= 0)
            return 1;
    }
    printf("%.0f\n", trips / (now() - began));
    return 0;
}
