/* Fills 500 MiB of sockets in threads of one process, each with descriptors of its own. */
#include "play.h"
#include <linux/close_range.h>
#include <sched.h>
#include <sys/socket.h>

enum { THREADS = 24, STACK = 65536 };

static int fill(void *unused)
{
    static char data[32768];
    int ends[2];
    (void)unused;
    while (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0)
        for (int end = 0; end < 2; end++)
            while (write(ends[end], data, sizeof data) > 0)
                ;
    for (;;)
        syscall(SYS_pause);
    return 0;
}

static const char *misdeed(const char *line)
{
    int flags = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    (void)line;
    act("close_range", syscall(SYS_close_range, 200, 300, CLOSE_RANGE_UNSHARE));
    for (int number = 0; number < THREADS; number++) {
        char *stack = malloc(STACK);
        if (stack == NULL)
            break;
        int started = clone(fill, stack + STACK, flags, NULL);
        if (number == 0)
            act("clone", started);
        if (started < 0)
            break;
        usleep(20000);
    }
    return report();
}
