/* Asks for larger buffers on a pair of sockets, and for a filter in the kernel's memory. */
#include "play.h"

#include <linux/filter.h>
#include <sys/socket.h>

static const char *misdeed(const char *line)
{
    int pair[2], size = 64 << 20, on = 1;
    struct sock_filter whole = BPF_STMT(BPF_RET | BPF_K, 1);
    struct sock_fprog filter = {1, &whole};
    (void)line;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
        return "there are no pairs";
    act("sndbuf", setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size));
    act("rcvbuf", setsockopt(pair[1], SOL_SOCKET, SO_RCVBUF, &size, sizeof size));
    act("sndbuf by force", setsockopt(pair[0], SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size));
    act("rcvbuf by force", setsockopt(pair[1], SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size));
    act("filter", setsockopt(pair[1], SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter));
    act("busy poll", setsockopt(pair[1], SOL_SOCKET, SO_ZEROCOPY, &on, sizeof on));
    return report();
}
