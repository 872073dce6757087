/* Moves one page through 200 GiB that are only reserved: it leaves page tables behind, 400 MiB of
   them, without a page fault and with never a byte more mapped. */
#include "play.h"
#include <sys/mman.h>

static const char *misdeed(const char *line)
{
    size_t size = 200ul << 30, step = 2ul << 20;
    (void)line;
    char *place = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED || page == MAP_FAILED)
        return NULL;
    *page = 1;
    for (size_t at = 0; at < size; at += step) {
        char *next = mremap(page, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, place + at + 4096);
        if (next == MAP_FAILED)
            break;
        mmap(page, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        page = next;
    }
    play_hold();
    return NULL;
}
