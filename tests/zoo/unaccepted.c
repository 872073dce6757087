/* Listens on a socket of its own and connects to it often: what it sends waits in the kernel. */
#include "play.h"

#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

static const char *misdeed(const char *line)
{
    struct sockaddr_un own = {.sun_family = AF_UNIX};
    int pair[2];
    (void)line;
    snprintf(own.sun_path, sizeof own.sun_path, "%s/s", getenv("TMPDIR"));
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    act("socket", listener);
    if (listener < 0 && !socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        listener = pair[0];
    act("bind", bind(listener, (struct sockaddr *)&own, sizeof own));
    act("listen", listen(listener, 100));
    act("connect", connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&own, sizeof own));
    act("accept", accept4(listener, NULL, NULL, SOCK_NONBLOCK));
    unlink(own.sun_path);
    return report();
}
