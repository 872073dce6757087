/* Maps one page in each GiB, in three processes: some 300 MiB of page tables for each. */
#include "play.h"
#include <sys/mman.h>

static void spread(void)
{
    for (size_t at = 1ul << 36; at < (1ul << 36) + (38000ul << 30); at += 1ul << 30) {
        volatile char *page = mmap((void *)at, 4096, PROT_READ,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (page != MAP_FAILED)
            (void)*page;
    }
}

static const char *misdeed(const char *line)
{
    (void)line;
    for (int child = 0; child < 2; child++)
        if (fork() == 0) {
            spread();
            play_hold();
            _exit(0);
        }
    spread();
    play_hold();
    return NULL;
}
