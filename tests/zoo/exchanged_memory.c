/* Exchanges 400 MiB of private address space for shared memory at the same place, and fills it. */
#include "play.h"
#include <sys/mman.h>

static const char *misdeed(const char *line)
{
    size_t size = 400u << 20;
    (void)line;
    char *place = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    usleep(500000); /* so that the watch sees the mapping once before */
    place = mmap(place, size, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    if (place != MAP_FAILED)
        memset(place, 1, size);
    play_hold();
    return NULL;
}
