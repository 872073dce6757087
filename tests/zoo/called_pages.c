/* Has the kernel load pages of a shared file, and write others out, when it chooses. */
#include "play.h"

#include <fcntl.h>
#include <sys/mman.h>

static const char *misdeed(const char *line)
{
    (void)line;
    int file = open("/usr/bin/env", O_RDONLY);
    void *mapped = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    act("readahead", readahead(file, 0, 4096));
    act("sync_file_range", sync_file_range(file, 0, 4096, SYNC_FILE_RANGE_WRITE));
    act("fadvise", (errno = posix_fadvise(file, 0, 4096, POSIX_FADV_WILLNEED)) ? -1 : 0);
    act("willneed", madvise(mapped, 4096, MADV_WILLNEED));
    act("populate", madvise(mapped, 4096, MADV_POPULATE_READ));
    act("sync", syscall(SYS_sync));
    act("syncfs", syncfs(file));
    return report();
}
