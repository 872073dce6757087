/* Takes what the kernel counts for each user: keys, watches on files, queues, namespaces, rings. */
#include "play.h"

#include <sys/prctl.h>
#include <sys/resource.h>

static long key(long nothing)
{
    (void)nothing;
    return syscall(SYS_add_key, "user", "zoo", "x", 1, -4);
}

static long watch(long nothing)
{
    (void)nothing;
    return syscall(SYS_inotify_init1, 0);
}

static long groups(long nothing)
{
    (void)nothing;
    return syscall(SYS_fanotify_init, 0, 0);
}

static long queue(long nothing)
{
    (void)nothing;
    return syscall(SYS_mq_open, "zoo", 0102, 0600, NULL);
}

static long namespace(long nothing)
{
    (void)nothing;
    return syscall(SYS_unshare, 0x10000000);
}

static long ring(long nothing)
{
    (void)nothing;
    long context = 0;
    return syscall(SYS_io_setup, 100, &context);
}

static long raise_limit(long which)
{
    struct rlimit limit;
    getrlimit(which, &limit);
    limit.rlim_cur = limit.rlim_max += 1;
    return setrlimit(which, &limit);
}

static const char *misdeed(const char *line)
{
    (void)line;
    aside("key", key, 0);
    aside("inotify", watch, 0);
    aside("fanotify", groups, 0);
    aside("queue", queue, 0);
    aside("namespace", namespace, 0);
    aside("ring", ring, 0);
    aside("more signals", raise_limit, RLIMIT_SIGPENDING);
    aside("more nice", raise_limit, RLIMIT_NICE);
    aside("real time", raise_limit, RLIMIT_RTPRIO);
    aside("more queues", raise_limit, RLIMIT_MSGQUEUE);
    return report();
}
