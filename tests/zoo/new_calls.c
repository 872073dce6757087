/* Makes calls by number that are newer than any table, or very old, with arguments of no sense. */
#include "play.h"

static const int NUMBERS[] = {134, 156, 174, 177, 178, 180, 183, 184, 185, 205, 211, 212, 214, 215,
                              216, 236, 444, 445, 446, 448, 449, 451, 452, 453, 454, 455,
                              456, 457, 458, 459, 460, 461, 462, 463, 464, 465, 466, 467, 468, 469,
                              470, 471, 480, 500, 511, 548, 600, 1000};

static const char *misdeed(const char *line)
{
    char name[16];
    int absent = 0;
    (void)line;
    for (size_t at = 0; at < sizeof NUMBERS / sizeof *NUMBERS; at++) {
        if (syscall(NUMBERS[at], -1, -1, -1, -1, -1, -1) < 0 && errno == ENOSYS) {
            absent++;
            continue;
        }
        snprintf(name, sizeof name, "%d", NUMBERS[at]);
        act(name, 0);
    }
    snprintf(name, sizeof name, "%d calls", absent);
    errno = ENOSYS;
    act(name, -1);
    return report();
}
