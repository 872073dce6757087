/* Changes the mode of its own folder and of a file, by the call that came in Linux 6.6. */
#include "play.h"

#include <fcntl.h>
#include <sys/stat.h>

enum { FCHMODAT2 = 452 };

static const char *misdeed(const char *line)
{
    char path[4096];
    (void)line;
    snprintf(path, sizeof path, "%s/mine", getenv("TMPDIR"));
    close(open(path, O_CREAT | O_WRONLY, 0600));
    act("own folder", syscall(FCHMODAT2, AT_FDCWD, ".", 0755, 0));
    act("own program", syscall(FCHMODAT2, AT_FDCWD, "bot", 0755, AT_SYMLINK_NOFOLLOW));
    act("file", syscall(FCHMODAT2, AT_FDCWD, path, 0600, 0));
    unlink(path);
    return report();
}
