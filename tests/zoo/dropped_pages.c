/* Has the kernel drop pages that others share, poison them, or look for equal ones. */
#include "play.h"

#include <fcntl.h>
#include <sys/mman.h>

enum { COLLAPSE = 25, SOFT_OFFLINE = 101 };

static const char *misdeed(const char *line)
{
    (void)line;
    int file = open("/usr/bin/env", O_RDONLY);
    void *mapped = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    void *own = mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    act("cold", madvise(mapped, 4096, MADV_COLD));
    act("pageout", madvise(mapped, 4096, MADV_PAGEOUT));
    act("mergeable", madvise(own, 4096, MADV_MERGEABLE));
    act("collapse", madvise(own, 4 << 20, COLLAPSE));
    act("poison", madvise(own, 4096, SOFT_OFFLINE));
    return report();
}
