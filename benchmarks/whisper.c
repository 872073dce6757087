/* One end of a covert channel between two bots: the speaker or the listener.

   Waits for a line, then speaks or listens, and answers with one line. Both ends know the bits from
   the key, so the listener counts its own errors. Three kinds of channels:

   - In slots of time: in each slot the speaker does something or nothing, and the listener measures
     one value at its end. The first bits alternate and give the threshold.
   - In turns: both make pipes, whose inodes the kernel numbers for all, and rest. The speaker says a bit by
     how many it makes, and goes on once it sees that the listener has made one. Frames begin with a
     larger number, so that a bit that is lost shifts no others for long.
   - In what the kernel remembers: the speaker touches a name or page for each 1, and the listener
     finds later by the time it takes which ones were touched.

   whisper ROLE CHANNEL KEY BITS SLOT_NS FILE; the line in slots is the beginning in nanoseconds. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PREAMBLE = 40, CHILDREN = 8, KNOWN = 200, FRAME = 40, UNIT = 16, QUIET = 3, BATCH = 1024 };

static const int64_t TURNS_NS = 3000000000;

static uint64_t key;
static long bits;
static int64_t slot;
static volatile unsigned char *pages;

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

static int bit(long number)
{
    uint64_t mixed = key + (uint64_t)number * 0x9E3779B97F4A7C15u;
    if (number < PREAMBLE)
        return number & 1;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return mixed >> 63;
}

/* Lets the other run: to yield does nothing between sessions that have shares of their own. */
static void rest(long nanoseconds)
{
    nanosleep(&(struct timespec){0, nanoseconds}, NULL);
}

static void until(int64_t time)
{
    while (now() < time)
        rest(time - now() > 200000 ? 100000 : 1000);
}

/* --- Channels in slots: what to do for a 1, and what to measure --- */

static double next_process(void)
{
    pid_t child = vfork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    return child;
}

static void act(const char *channel, int64_t end)
{
    if (!strcmp(channel, "core")) {
        while (now() < end)
            ;
    } else if (!strcmp(channel, "numbers")) {
        for (int number = 0; number < 4; number++)
            next_process();
    } else {
        pid_t children[CHILDREN];
        for (int number = 0; number < CHILDREN; number++)
            if ((children[number] = fork()) == 0) {
                pause();
                _exit(0);
            }
        until(end);
        for (int number = 0; number < CHILDREN; number++)
            kill(children[number], SIGKILL);
        for (int number = 0; number < CHILDREN; number++)
            waitpid(children[number], NULL, 0);
    }
}

static double measure(const char *channel, int64_t end)
{
    static double last;
    double found = 0;
    struct sysinfo about;
    if (!strcmp(channel, "core")) {
        while (now() < end)
            found++;
        return -found;
    }
    until(end);
    if (!strcmp(channel, "tasks")) {
        sysinfo(&about);
        return about.procs;
    }
    double number = next_process(), passed = number - last;
    last = number;
    return passed > 0 && passed < 500 ? passed : 0;
}

static void speak_in_slots(const char *channel, int64_t begin)
{
    for (long number = 0; number < bits; number++) {
        until(begin + number * slot);
        if (bit(number))
            act(channel, begin + number * slot + slot * 7 / 10);
    }
    printf("said %ld\n", bits);
}

static void listen_in_slots(const char *channel, int64_t begin)
{
    double *values = calloc(bits, sizeof *values), sums[2] = {0, 0};
    long errors = 0;
    for (long number = 0; number < bits; number++) {
        until(begin + number * slot);
        values[number] = measure(channel, begin + number * slot + slot * 6 / 10);
    }
    for (long number = 4; number < PREAMBLE; number++)
        sums[number & 1] += values[number];
    for (long number = PREAMBLE; number < bits; number++)
        errors += (values[number] > (sums[0] + sums[1]) / (PREAMBLE - 4)) != bit(number);
    printf("%ld %ld %lld\n", bits - PREAMBLE, errors, (long long)slot * (bits - PREAMBLE));
}

/* --- Channels in turns --- */

static long next_inode(void)
{
    int ends[2];
    struct stat found = {0};
    if (pipe(ends) < 0)
        return 0;
    fstat(ends[0], &found);
    close(ends[0]);
    close(ends[1]);
    return found.st_ino;
}

/* Makes some pipes, and waits until the listener has looked twice: once it finds nothing new. */
static void say(long count, int64_t end)
{
    long last = 0, found, looks = 0;
    while (count--)
        last = next_inode();
    while (looks < 2 && now() < end) {
        rest(1000);
        found = next_inode();
        looks += found - last > 1;
        last = found;
    }
}

static void speak_in_turns(void)
{
    int64_t end = now() + TURNS_NS;
    for (long number = 0; number < bits && now() < end; number++) {
        if (number % FRAME == 0)
            say(UNIT * (10 + 4 * (number / FRAME & 3)), end);
        say(bit(number) ? 4 * UNIT : UNIT, end);
    }
    say(UNIT * (10 + 4 * (bits / FRAME & 3)), end);
    printf("said %ld\n", bits);
}

static void listen_in_turns(void)
{
    long frames = bits / FRAME;
    long frame = -1, place = FRAME, wrong = 0, heard = 0, sum = 0, last = next_inode();
    int64_t end = now() + TURNS_NS, begin = now();
    while (frame < frames && now() < end) {
        rest(1000);
        long found = next_inode(), more = (found - last - 1) % BATCH, count = sum;
        last = found;
        sum = more > QUIET ? sum + more : 0;
        if (more > QUIET)
            continue; /* perhaps still at it */
        if (count >= 8 * UNIT) {
            long ahead = ((count - 8 * UNIT) / (4 * UNIT) - frame) & 3;
            if (ahead == 0 || (ahead == 3 && frame >= 0))
                continue; /* no frame that can come next: noise */
            frame += ahead;
            place = 0;
        } else if (count >= UNIT / 2 && place < FRAME) {
            wrong += (count > 2 * UNIT) != bit(frame * FRAME + place++);
            heard++;
        }
    }
    /* A bit that was not heard is guessed: half of them are wrong. */
    printf("%ld %ld %lld\n", bits, wrong + (bits - heard) / 2, (long long)(now() - begin));
}

/* --- What the kernel remembers --- */

static int64_t touch(const char *channel, long number)
{
    char path[64];
    int64_t begin;
    if (!strcmp(channel, "pages")) {
        begin = now();
        (void)pages[number * 4096];
        return now() - begin;
    }
    snprintf(path, sizeof path, "/usr/bin/%016llx-%ld", (unsigned long long)key, number);
    begin = now();
    access(path, F_OK);
    return now() - begin;
}

static int smaller(const void *one, const void *other)
{
    int64_t left = *(const int64_t *)one, right = *(const int64_t *)other;
    return (left > right) - (left < right);
}

static int64_t median(int64_t *times)
{
    qsort(times, KNOWN, sizeof *times, smaller);
    return times[KNOWN / 2];
}

static void leave(const char *channel)
{
    int64_t begin = now();
    for (long number = 0; number < bits; number++)
        if (bit(number))
            touch(channel, number);
    printf("%lld\n", (long long)(now() - begin));
}

static void find(const char *channel)
{
    int64_t fresh[KNOWN], known[KNOWN], threshold, begin;
    long errors = 0;
    for (long number = 0; number < KNOWN; number++)
        fresh[number] = touch(channel, bits + number);
    for (long number = 0; number < KNOWN; number++)
        known[number] = touch(channel, bits + number);
    threshold = (median(fresh) + 2 * median(known)) / 3;
    begin = now();
    for (long number = 0; number < bits; number++)
        errors += (touch(channel, number) < threshold) != bit(number);
    printf("%ld %ld %lld\n", bits, errors, (long long)(now() - begin));
}

int main(int argc, char **argv)
{
    char line[64];
    if (argc < 7)
        return 2;
    const char *channel = argv[2];
    int speaks = !strcmp(argv[1], "speak");
    key = strtoull(argv[3], NULL, 16);
    bits = atol(argv[4]);
    slot = atol(argv[5]);
    if (!strcmp(channel, "pages")) {
        pages = mmap(NULL, (bits + KNOWN) * 4096, PROT_READ, MAP_SHARED, open(argv[6], O_RDONLY), 0);
        madvise((void *)pages, (bits + KNOWN) * 4096, MADV_RANDOM);
    }
    printf("ready\n");
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin))
        return 1;
    if (!strcmp(channel, "pages") || !strcmp(channel, "names"))
        (speaks ? leave : find)(channel);
    else if (!slot)
        (speaks ? speak_in_turns : listen_in_turns)();
    else
        (speaks ? speak_in_slots : listen_in_slots)(channel, atoll(line));
    fflush(stdout);
    return 0;
}
