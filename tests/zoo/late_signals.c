/* Has the kernel send a signal of its choice to a process of its choice when a pipe is written. */
#include "play.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <asm/ioctls.h>

static const char *misdeed(const char *line)
{
    int pipes[2], on = 1;
    struct f_owner_ex owner = {F_OWNER_PID, getppid()};
    (void)line;
    if (pipe(pipes) < 0)
        return "there are no pipes";
    act("signal", fcntl(pipes[0], F_SETSIG, SIGWINCH));
    act("owner", fcntl(pipes[0], F_SETOWN, getppid()));
    act("any owner", fcntl(pipes[0], F_SETOWN_EX, &owner));
    act("async", fcntl(pipes[0], F_SETFL, O_ASYNC));
    act("async by ioctl", ioctl(pipes[0], FIOASYNC, &on));
    act("on a folder", fcntl(open("/usr", O_RDONLY), F_NOTIFY, DN_ACCESS));
    return report();
}
