/* Makes 60,000 mappings in each of 12 processes: the kernel's notes of them take 200 MiB, and no
   page of them is ever used. */
#include "play.h"
#include <sys/mman.h>

static const char *misdeed(const char *line)
{
    (void)line;
    for (int child = 0; child < 12; child++)
        if (fork() == 0) {
            char *place = mmap(NULL, 120000ul * 4096, PROT_NONE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            for (size_t page = 0; place != MAP_FAILED && page < 120000; page += 2)
                if (mprotect(place + page * 4096, 4096, PROT_READ) < 0)
                    break;
            play_hold();
            _exit(0);
        }
    play_hold();
    return NULL;
}
