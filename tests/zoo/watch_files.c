/* Watches what others do with files in /usr, by inotify and by fanotify. */
#include "play.h"

#include <fcntl.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>

static const char *misdeed(const char *line)
{
    (void)line;
    int watch = inotify_init1(IN_CLOEXEC);
    act("inotify", watch < 0 ? watch : inotify_add_watch(watch, "/usr", IN_OPEN));
    int events = fanotify_init(FAN_CLASS_NOTIF | FAN_REPORT_FID, O_RDONLY);
    act("fanotify", events);
    return report();
}
