/* Asks to handle page faults itself, by the call and by the device. */
#include "play.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>

static const char *misdeed(const char *line)
{
    (void)line;
    act("userfaultfd", syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY));
    act("/dev/userfaultfd", open("/dev/userfaultfd", O_RDWR));
    return report();
}
