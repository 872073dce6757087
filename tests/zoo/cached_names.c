/* Asks whether a name is in the kernel's memory, by opening it only if it is. */
#include "play.h"

#include <fcntl.h>
#include <linux/openat2.h>

static const char *misdeed(const char *line)
{
    struct open_how how = {.flags = O_RDONLY, .resolve = RESOLVE_CACHED};
    (void)line;
    act("openat2", syscall(SYS_openat2, AT_FDCWD, "/usr/bin/env", &how, sizeof how));
    return report();
}
