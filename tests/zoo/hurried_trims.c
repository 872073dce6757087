/* Takes 64 pieces of 12 MiB of shared memory as fast as it can, and unmaps all but one page of each. */
#include "play.h"
#include <sys/mman.h>

static const char *misdeed(const char *line)
{
    size_t size = 12u << 20, page = 4096;
    (void)line;
    for (int piece = 0; piece < 64; piece++) {
        char *place =
            mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (place == MAP_FAILED)
            break;
        memset(place, 1, size);
        munmap(place + page, size - page);
    }
    play_hold();
    return NULL;
}
