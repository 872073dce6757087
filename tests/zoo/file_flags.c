/* Sets the flags, version and attributes of a file of its own, and asks where files lie on the disk. */
#include "play.h"

#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/xattr.h>

static const char *misdeed(const char *line)
{
    char path[4096];
    int flags = 0;
    long version = 7;
    struct fsxattr attributes = {0};
    struct fiemap map = {.fm_length = ~0ull};
    (void)line;
    snprintf(path, sizeof path, "%s/mine", getenv("TMPDIR"));
    int file = open(path, O_CREAT | O_RDWR, 0600);
    act("get flags", ioctl(file, FS_IOC_GETFLAGS, &flags));
    flags |= FS_NODUMP_FL;
    act("set flags", ioctl(file, FS_IOC_SETFLAGS, &flags));
    act("version", ioctl(file, FS_IOC_SETVERSION, &version));
    act("get attributes", ioctl(file, FS_IOC_FSGETXATTR, &attributes));
    act("set attributes", ioctl(file, FS_IOC_FSSETXATTR, &attributes));
    act("places", ioctl(file, FS_IOC_FIEMAP, &map));
    act("note", fsetxattr(file, "user.note", "1", 1, 0));
    unlink(path);
    return report();
}
