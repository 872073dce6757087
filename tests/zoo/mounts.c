/* Mounts a file system, by the old calls and by the new ones. */
#include "play.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>

/* <sys/mount.h> and <linux/mount.h> do not go together. */
extern int mount(const char *, const char *, const char *, unsigned long, const void *);
extern int umount2(const char *, int);

static const char *misdeed(const char *line)
{
    (void)line;
    const char *scratch = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    char folder[256];
    snprintf(folder, sizeof folder, "%s/mounted", scratch);
    mkdir(folder, 0700);
    int mounted = mount("none", folder, "tmpfs", 0, "size=4k");
    act("mount", mounted);
    if (mounted == 0)
        umount2(folder, 2); /* MNT_DETACH */
    int bound = mount("/usr", folder, NULL, 4096, NULL); /* MS_BIND */
    act("bind", bound);
    if (bound == 0)
        umount2(folder, 2);
    act("fsopen", syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC));
    act("open_tree", syscall(SYS_open_tree, AT_FDCWD, "/usr", OPEN_TREE_CLONE));
    act("umount", umount2(folder, 2));
    return report();
}
