/* Calls the kernel as an x32 program would, in a child process. */
#include "play.h"

static long x32(long number)
{
    return syscall(0x40000000 + number);
}

static const char *misdeed(const char *line)
{
    (void)line;
    aside("getpid", x32, 39);
    aside("getppid", x32, 110);
    return report();
}
