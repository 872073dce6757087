/* Asks for asynchronous input and output, whose queues all programs of the machine share. */
#include "play.h"

static const char *misdeed(const char *line)
{
    unsigned long queue = 0;
    (void)line;
    act("io_setup", syscall(SYS_io_setup, 20000, &queue));
    return report();
}
