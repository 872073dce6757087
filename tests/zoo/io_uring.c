/* Sets up an io_uring, whose operations no filter of system calls sees. */
#include "play.h"

static const char *misdeed(const char *line)
{
    (void)line;
    char params[256] = {0};
    act("io_uring_setup", syscall(SYS_io_uring_setup, 4, params));
    return report();
}
