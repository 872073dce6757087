/* Does what only the machine's owner may, in ways that change nothing where they succeed. */
#include "play.h"

#include <sys/klog.h>
#include <sys/timex.h>

static const char *misdeed(const char *line)
{
    (void)line;
    char name[65] = {0};
    struct timex clock = {.modes = ADJ_TICK, .tick = 0};
    gethostname(name, 64);
    act("sethostname", sethostname(name, strlen(name)));
    act("syslog", klogctl(10, NULL, 0));
    /* A tick of 0 is never valid: EINVAL tells that the right was there. */
    act("adjtimex", adjtimex(&clock) < 0 && errno != EINVAL ? -1 : 0);
    return report();
}
