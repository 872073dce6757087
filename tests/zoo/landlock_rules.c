/* Keeps 500 MiB of rules in the kernel: of every port, in many sets. */
#include "play.h"
#include <linux/types.h>

struct set {
    __u64 files, net;
};
struct rule {
    __u64 access, port;
};

static const char *misdeed(const char *line)
{
    struct set set = {0, 3};
    (void)line;
    for (int number = 0; number < 120; number++) {
        long handle = syscall(444, &set, sizeof set, 0);
        if (number == 0)
            act("landlock_create_ruleset", handle);
        if (handle < 0)
            break;
        for (__u64 port = 0; port < 65536; port++) {
            struct rule rule = {1, port};
            if (syscall(445, handle, 2, &rule, 0) < 0)
                break;
        }
    }
    return report();
}
