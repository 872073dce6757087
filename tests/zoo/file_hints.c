/* Leaves hints on shared files, which others can read: how long they live, and who reads them. */
#include "play.h"

#include <fcntl.h>
#include <sys/xattr.h>
#include <stdint.h>

static const char *misdeed(const char *line)
{
    uint64_t hint = 1;
    char note[10];
    (void)line;
    int file = open("/usr/bin/env", O_RDONLY);
    act("get hint", fcntl(file, F_GET_RW_HINT, &hint));
    act("set hint", fcntl(file, F_SET_RW_HINT, &hint));
    act("lease", fcntl(file, F_SETLEASE, F_RDLCK));
    act("get note", fgetxattr(file, "security.capability", note, 10) < 0 && errno == ENODATA ? 0 : -1);
    return report();
}
