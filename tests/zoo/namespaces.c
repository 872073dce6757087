/* Moves into new namespaces of every kind. */
#include "play.h"

#include <sched.h>

static long leave(long kind)
{
    return unshare((int)kind);
}

static const char *misdeed(const char *line)
{
    (void)line;
    aside("user", leave, CLONE_NEWUSER);
    aside("mount", leave, CLONE_NEWNS);
    aside("net", leave, CLONE_NEWNET);
    aside("pid", leave, CLONE_NEWPID);
    aside("ipc", leave, CLONE_NEWIPC);
    aside("uts", leave, CLONE_NEWUTS);
    aside("cgroup", leave, CLONE_NEWCGROUP);
    aside("user and mount", leave, CLONE_NEWUSER | CLONE_NEWNS);
    return report();
}
