/* Asks which pages of a shared file are in memory: by mincore and by cachestat. */
#include "play.h"

#include <fcntl.h>
#include <sys/mman.h>

enum { CACHESTAT = 451 };

static const char *misdeed(const char *line)
{
    unsigned char pages[1];
    unsigned long range[2] = {0, 4096}, counts[5];
    (void)line;
    int file = open("/usr/bin/env", O_RDONLY);
    void *mapped = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    act("mincore", mincore(mapped, 4096, pages));
    act("cachestat", syscall(CACHESTAT, file, range, counts, 0));
    return report();
}
