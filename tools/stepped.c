/* Moves the time of day of a program that is started with it by LD_PRELOAD: by as many seconds as
   the file that STEPPED_CLOCK names holds, a double that may change at any moment. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

static int (*real)(clockid_t, struct timespec *);
static volatile const double *ahead;

__attribute__((constructor)) static void begin(void) {
    const char *name = getenv("STEPPED_CLOCK");
    int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    void *found = file < 0 ? MAP_FAILED : mmap(0, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
    real = dlsym(RTLD_NEXT, "clock_gettime");
    if (found != MAP_FAILED)
        ahead = found;
}

int clock_gettime(clockid_t clock, struct timespec *out) {
    int said = real(clock, out);
    if (!said && clock == CLOCK_REALTIME && ahead)
        out->tv_sec += (time_t)floor(*ahead);
    return said;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    struct timespec now;
    (void)zone;
    int said = clock_gettime(CLOCK_REALTIME, &now);
    out->tv_sec = now.tv_sec;
    out->tv_usec = now.tv_nsec / 1000;
    return said;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out)
        *out = now.tv_sec;
    return now.tv_sec;
}
