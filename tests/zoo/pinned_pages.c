/* Keeps 300 MiB of pages in sockets by a byte of each, of a file that it cuts short again. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include "play.h"

enum { PAGE = 4096, PAGES = 2560, ROUNDS = 30 };

static int sockets[2], file, ends[2];

/* Puts a byte of a page into a socket; by way of a pipe, a byte of each of 16 pages. */
static long put(int by_pipe, off_t at)
{
    if (!by_pipe)
        return sendfile(sockets[0], file, &at, 1);
    for (int page = 0; page < 16; page++, at += PAGE - 1)
        if (splice(file, &at, ends[1], NULL, 1, 0) != 1)
            return -1;
    return splice(ends[0], NULL, sockets[0], NULL, 16, SPLICE_F_NONBLOCK);
}

static void keep(const char *what, int by_pipe)
{
    static char data[PAGE * 16];
    long pages = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int part = 0; part < PAGES / 16; part++)
            if (pwrite(file, data, sizeof data, (off_t)part * (off_t)sizeof data) < 0)
                break;
        for (int page = 0; page < PAGES; page += by_pipe ? 16 : 1) {
            long put_now = put(by_pipe, (off_t)page * PAGE);
            if (put_now < 0 && pages > 0)
                put_now = socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets);
            else if (put_now > 0)
                pages += put_now;
            if (put_now < 0) {
                act(what, pages ? pages : -1);
                return;
            }
        }
        if (ftruncate(file, 0) < 0)
            break;
    }
    act(what, pages);
}

static const char *misdeed(const char *line)
{
    char name[200];
    const char *scratch = getenv("TMPDIR");
    (void)line;
    snprintf(name, sizeof name, "%s/pages", scratch ? scratch : "/tmp");
    file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || pipe(ends) || socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets))
        return NULL;
    keep("splice", 1);
    keep("sendfile", 0);
    usleep(500000);
    return report();
}
