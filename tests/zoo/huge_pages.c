/* Gets huge pages: of one that is given back but for 4 KiB, the kernel keeps the whole. */
#include "play.h"
#include <sys/mman.h>
#include <sys/resource.h>

static const char *misdeed(const char *line)
{
    size_t huge = 2u << 20;
    struct rusage before, after;
    (void)line;
    char *place = mmap(NULL, 8 * huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    place += huge - (size_t)place % huge;
    madvise(place, 4 * huge, MADV_HUGEPAGE);
    getrusage(RUSAGE_SELF, &before);
    for (size_t at = 0; at < 4 * huge; at += 4096)
        place[at] = 1;
    getrusage(RUSAGE_SELF, &after);
    errno = EAGAIN;
    act("huge pages", after.ru_minflt - before.ru_minflt < 1000 ? 0 : -1);
    return report();
}
