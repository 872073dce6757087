/* Joins the namespaces of process 1, and of its parent by pidfd. */
#include "play.h"

#include <fcntl.h>
#include <sched.h>

static long join(long file)
{
    return setns((int)file, 0);
}

static const char *misdeed(const char *line)
{
    (void)line;
    const char *kinds[] = {"mnt", "net", "pid", "ipc", "uts", "user"};
    char path[32];
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        snprintf(path, sizeof path, "/proc/1/ns/%s", kinds[kind]);
        int file = open(path, O_RDONLY);
        if (file < 0)
            act(kinds[kind], -1);
        else
            aside(kinds[kind], join, file);
    }
    return report();
}
