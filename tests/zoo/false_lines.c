/* Moves what /proc shows as its environment to a place of its own choosing. */
#include "play.h"
#include <sys/mman.h>
#include <sys/prctl.h>

static const char *misdeed(const char *line)
{
    char *place = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)line;
    act("env_start", prctl(PR_SET_MM, PR_SET_MM_ENV_START, place, 0, 0));
    act("env_end", prctl(PR_SET_MM, PR_SET_MM_ENV_END, place + 4096, 0, 0));
    return report();
}
