/* Asks whether a page of a shared file is in memory, by a read that does not wait, and forgets it. */
#include "play.h"

#include <fcntl.h>
#include <sys/uio.h>

static const char *misdeed(const char *line)
{
    char byte[1];
    struct iovec into = {byte, 1};
    (void)line;
    int file = open("/usr/bin/env", O_RDONLY);
    act("preadv2", syscall(SYS_preadv2, file, &into, 1, 0, 0, RWF_NOWAIT));
    act("pwritev2", syscall(SYS_pwritev2, STDERR_FILENO, &into, 0, -1, -1, RWF_DSYNC));
    errno = posix_fadvise(file, 0, 4096, POSIX_FADV_DONTNEED);
    act("fadvise", errno ? -1 : 0);
    return report();
}
