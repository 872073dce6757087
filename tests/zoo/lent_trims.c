/* Has children that nobody waits for fill 64 pieces of 12 MiB of shared memory, of each of which it
   then keeps one page mapped. */
#include "play.h"
#include <sys/mman.h>

static const char *misdeed(const char *line)
{
    size_t size = 12u << 20, page = 4096;
    (void)line;
    signal(SIGCHLD, SIG_IGN);
    for (int piece = 0; piece < 64; piece++) {
        char *place =
            mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (place == MAP_FAILED)
            break;
        pid_t child = fork();
        if (child == 0) {
            memset(place, 1, size);
            _exit(0);
        }
        waitpid(child, NULL, 0);
        munmap(place + page, size - page);
    }
    play_hold();
    return NULL;
}
