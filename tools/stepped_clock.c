/* The time of day goes an hour ahead and back, every STEP seconds; what measures seconds does not.
   Loaded before the C library's own, by the condition "clock stepped by an hour". */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

static time_t stepped(time_t now) { return now + now / STEP % 2 * 3600; }

int clock_gettime(clockid_t clock, struct timespec *at) {
    static int (*own)(clockid_t, struct timespec *);
    if (!own) own = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int code = own(clock, at);
    if (!code && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        at->tv_sec = stepped(at->tv_sec);
    return code;
}

int gettimeofday(struct timeval *at, void *zone) {
    struct timespec now;
    (void)zone;
    int code = clock_gettime(CLOCK_REALTIME, &now);
    if (!code) *at = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return code;
}

time_t time(time_t *at) {
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}
