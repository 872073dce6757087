/* Puts a key into the kernel's keyrings, which others could read. */
#include "play.h"

#include <linux/keyctl.h>

static const char *misdeed(const char *line)
{
    (void)line;
    act("add_key", syscall(SYS_add_key, "user", "zoo", "x", 1, KEY_SPEC_PROCESS_KEYRING));
    act("session", syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0));
    act("user", syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 0));
    return report();
}
