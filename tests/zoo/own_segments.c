/* Writes a segment of memory into its own table, and has the processor hide what it is. */
#include "play.h"

#include <asm/ldt.h>

enum { SET_CPUID = 0x1012, MAP_VDSO_64 = 0x2003 };

static const char *misdeed(const char *line)
{
    struct user_desc segment = {.entry_number = 0, .limit = 1, .seg_32bit = 1};
    (void)line;
    act("modify_ldt", syscall(SYS_modify_ldt, 1, &segment, sizeof segment));
    /* EINVAL and EEXIST tell that the kernel has looked at it. */
    act("cpuid", syscall(SYS_arch_prctl, SET_CPUID, 1) < 0 && errno == ENOSYS ? -1 : 0);
    act("vdso", syscall(SYS_arch_prctl, MAP_VDSO_64, 0) < 0 && errno == ENOSYS ? -1 : 0);
    return report();
}
