/* Computes in 60 processes at whatever rank, policy and group of tasks it can give them. */
#include "play.h"

#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <sys/resource.h>

struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

static void climb(int number)
{
    struct sched_param real_time = {1}, ordinary = {0};
    struct attributes long_turns = {sizeof long_turns, 0, 0, 0, 0, 100000000, 0, 0};
    struct rlimit nice = {40, 40};
    setrlimit(RLIMIT_NICE, &nice);
    if (setpriority(PRIO_PROCESS, 0, -20) < 0)
        setpriority(PRIO_PROCESS, 0, number % 2);
    setsid();
    if (sched_setscheduler(0, SCHED_RR, &real_time) < 0)
        sched_setscheduler(0, SCHED_BATCH, &ordinary);
    syscall(SYS_sched_setattr, 0, &long_turns, 0);
    int group = open("/proc/self/autogroup", O_WRONLY);
    if (write(group, "-20", 3) < 0)
        close(group);
}

static const char *misdeed(const char *line)
{
    (void)line;
    for (int n = 0; n < 60; n++)
        if (fork() == 0) {
            climb(n);
            for (;;)
                ;
        }
    return "held: it is for the arena to share the core";
}
