/* Puts files without a name into the places of open descriptors, whose number stays the same. */
#include "play.h"
#include <fcntl.h>

static const char *misdeed(const char *line)
{
    static char block[1 << 20];
    int places[20];
    char path[4096];
    (void)line;
    snprintf(path, sizeof path, "%s/file", getenv("TMPDIR"));
    for (int each = 0; each < 20; each++)
        places[each] = open("/dev/null", O_RDONLY);
    memset(block, 1, sizeof block);
    for (int each = 0; each < 20; each++) {
        int file = open(path, O_RDWR | O_CREAT, 0600);
        unlink(path);
        dup2(file, places[each]);
        close(file);
        for (int part = 0; part < 10; part++)
            if (write(places[each], block, sizeof block) < 0)
                break;
    }
    play_hold();
    return NULL;
}
