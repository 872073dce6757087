/* Asks for 200 MiB of room on the disk without writing. */
#include "play.h"
#include <fcntl.h>

static const char *misdeed(const char *line)
{
    char path[4096];
    (void)line;
    snprintf(path, sizeof path, "%s/file", getenv("TMPDIR"));
    signal(SIGXFSZ, SIG_IGN);
    act("fallocate", fallocate(open(path, O_RDWR | O_CREAT, 0600), 0, 0, 200 << 20));
    unlink(path);
    return report();
}
