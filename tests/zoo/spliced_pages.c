/* Pins a page of its memory in a pipe, where it would count for nobody. */
#include "play.h"
#include <fcntl.h>
#include <sys/uio.h>

static const char *misdeed(const char *line)
{
    static char page[4096];
    struct iovec piece = {page, sizeof page};
    int ends[2];
    (void)line;
    if (pipe(ends) == 0)
        act("vmsplice", vmsplice(ends[1], &piece, 1, 0));
    return report();
}
