/* Sets options of its process that change how it is looked at, scheduled, or orphaned. */
#include "play.h"

#include <sys/prctl.h>

enum { SCHED_CORE = 62, SET_MDWE = 65, SET_VMA = 0x53564d41, AUXV = 0x41555856 };

static long sets(long option)
{
    /* The option's own complaint tells that the kernel has looked at it. */
    return prctl(option, option == PR_SET_DUMPABLE ? 0 : 1, 0, 0, 0) < 0 && errno == ENOSYS ? -1 : 0;
}

static const char *misdeed(const char *line)
{
    (void)line;
    aside("dumpable", sets, PR_SET_DUMPABLE);
    aside("subreaper", sets, PR_SET_CHILD_SUBREAPER);
    aside("ptracer", sets, PR_SET_PTRACER);
    aside("tsc", sets, PR_SET_TSC);
    aside("slack", sets, PR_SET_TIMERSLACK);
    aside("huge pages", sets, PR_SET_THP_DISABLE);
    aside("speculation", sets, PR_SET_SPECULATION_CTRL);
    aside("io", sets, PR_SET_IO_FLUSHER);
    aside("core", sets, SCHED_CORE);
    aside("mdwe", sets, SET_MDWE);
    aside("names of memory", sets, SET_VMA);
    aside("auxv", sets, AUXV);
    aside("counters", sets, PR_TASK_PERF_EVENTS_DISABLE);
    aside("memory", sets, PR_SET_MM);
    return report();
}
