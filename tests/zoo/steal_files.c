/* Takes over open files of its parent by pidfd_getfd. */
#include "play.h"

static const char *misdeed(const char *line)
{
    (void)line;
    long parent = syscall(SYS_pidfd_open, getppid(), 0);
    if (parent < 0)
        act("pidfd_open", parent);
    else
        act("pidfd_getfd", syscall(SYS_pidfd_getfd, parent, 0, 0));
    return report();
}
