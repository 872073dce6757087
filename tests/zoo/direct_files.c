/* Reads past the page cache, and makes pipes of packets and of the kernel's news. */
#include "play.h"

#include <fcntl.h>

static const char *misdeed(const char *line)
{
    int pipes[2];
    (void)line;
    act("open", open("/usr/bin/env", O_RDONLY | O_DIRECT));
    act("fcntl", fcntl(open("/usr/bin/env", O_RDONLY), F_SETFL, O_DIRECT));
    act("packets", pipe2(pipes, O_DIRECT));
    act("news", pipe2(pipes, O_EXCL));
    return report();
}
