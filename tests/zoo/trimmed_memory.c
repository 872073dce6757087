/* Takes 24 pieces of 32 MiB of shared memory, and unmaps all but one page of each once it is full. */
#include "play.h"
#include <sys/mman.h>

static const char *misdeed(const char *line)
{
    size_t size = 32u << 20, page = 4096;
    (void)line;
    for (int piece = 0; piece < 24; piece++) {
        char *place =
            mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (place == MAP_FAILED)
            break;
        usleep(200000); /* so that the watch sees it whole */
        memset(place, 1, size);
        munmap(place + page, size - page);
    }
    play_hold();
    return NULL;
}
