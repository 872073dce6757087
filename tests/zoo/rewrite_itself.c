/* Changes its own program while it runs. */
#include "play.h"

#include <fcntl.h>
#include <sys/stat.h>

static const char *misdeed(const char *line)
{
    (void)line;
    act("open /proc/self/exe", open("/proc/self/exe", O_WRONLY));
    act("open bot", open("bot", O_WRONLY));
    act("chmod bot", chmod("bot", 0700));
    int linked = link("bot", "bot.zoo");
    act("link bot", linked);
    if (linked == 0)
        unlink("bot.zoo");
    return report();
}
