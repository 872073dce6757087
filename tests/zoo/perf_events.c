/* Asks the kernel to count events, its own and everybody's. */
#include "play.h"

#include <linux/perf_event.h>

static const char *misdeed(const char *line)
{
    (void)line;
    struct perf_event_attr event;
    memset(&event, 0, sizeof event);
    event.type = PERF_TYPE_SOFTWARE;
    event.size = sizeof event;
    event.config = PERF_COUNT_SW_CPU_CLOCK;
    event.exclude_kernel = 1;
    act("own", syscall(SYS_perf_event_open, &event, 0, -1, -1, 0));
    act("everybody", syscall(SYS_perf_event_open, &event, -1, 0, -1, 0));
    return report();
}
