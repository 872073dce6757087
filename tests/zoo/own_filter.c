/* Puts its children under a filter of its own, by which it answers their calls itself. */
#include "play.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

static struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
static struct sock_fprog filter = {1, &allow};

static long by_call(long flags)
{
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
}

static long by_option(long unused)
{
    (void)unused;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

static const char *misdeed(const char *line)
{
    (void)line;
    aside("seccomp", by_call, 0);
    aside("listener", by_call, SECCOMP_FILTER_FLAG_NEW_LISTENER);
    aside("prctl", by_option, 0);
    return report();
}
