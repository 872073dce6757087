/* Reads one byte of every 2 MiB of 150 GiB: some 300 MiB of page tables, hardly anything resident. */
#include "play.h"
#include <sys/mman.h>

static const char *misdeed(const char *line)
{
    size_t size = 150ul << 30;
    (void)line;
    volatile char *place =
        mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED)
        return NULL;
    madvise((void *)place, size, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < size; at += 2u << 20)
        (void)place[at];
    play_hold();
    return NULL;
}
