/* Starts children in new namespaces, by clone and by clone3. */
#include "play.h"

#include <linux/sched.h>

static void born(const char *what, long pid)
{
    if (pid == 0)
        _exit(0);
    act(what, pid);
    if (pid > 0)
        waitpid((pid_t)pid, NULL, 0);
}

static const char *misdeed(const char *line)
{
    (void)line;
    struct clone_args args = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};
    born("clone", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
    born("clone3", syscall(SYS_clone3, &args, sizeof args));
    return report();
}
