/* Looks for 30,000 names that do not exist, which the kernel remembers as missing. */
#include "play.h"
#include <sys/stat.h>

static const char *misdeed(const char *line)
{
    char name[300];
    struct stat found;
    (void)line;
    memset(name, 'x', sizeof name);
    for (int number = 0; number < 30000; number++) {
        snprintf(name + 200, 20, "%d", number);
        memcpy(name, "/usr/lib/", 9);
        if (stat(name, &found) == 0)
            return "ESCAPED: it is there";
    }
    return "held: none is there";
}
