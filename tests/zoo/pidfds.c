/* Gets descriptors of processes, whose numbers tell how many the machine has had. */
#include "play.h"
#include <sched.h>

static long opened(long pid)
{
    return syscall(SYS_pidfd_open, pid, 0);
}

static long cloned(long flags)
{
    int handle = -1;
    long child = syscall(SYS_clone, flags | SIGCHLD, 0, &handle, 0, 0);
    if (child == 0)
        _exit(0);
    return child;
}

static const char *misdeed(const char *line)
{
    (void)line;
    aside("pidfd_open", opened, getpid());
    aside("clone", cloned, CLONE_PIDFD);
    return report();
}
