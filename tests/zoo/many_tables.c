/* Reads one byte of every 2 MiB of 15 GiB in 24 processes: 30 MiB of page tables for each. */
#include "play.h"
#include <sys/mman.h>

static const char *misdeed(const char *line)
{
    size_t size = 15ul << 30;
    (void)line;
    volatile char *place =
        mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED)
        return NULL;
    madvise((void *)place, size, MADV_NOHUGEPAGE);
    for (int child = 0; child < 24; child++)
        if (fork() == 0) {
            for (size_t at = 0; at < size; at += 2u << 20)
                (void)place[at];
            play_hold();
            _exit(0);
        }
    play_hold();
    return NULL;
}
