/* Makes children that belong to its own parent, are traced from birth, or share its disk's turn. */
#include "play.h"

#include <sched.h>

static long makes(long flags)
{
    long pid = syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL);
    if (pid == 0)
        _exit(0);
    return pid;
}

static const char *misdeed(const char *line)
{
    (void)line;
    aside("sibling", makes, CLONE_PARENT);
    aside("traced", makes, CLONE_PTRACE);
    aside("turn", makes, CLONE_IO);
    return report();
}
