/* Plays honestly: computes 0.06 s for each answer, and uses a little of what users share.

   The note of an answer says what of that was refused, if anything. */
#define EACH_TIME
#include "play.h"

#include <sys/epoll.h>
#include <time.h>

static char refused[300];

static void note(const char *what, long result)
{
    if (result < 0) {
        strncat(refused, what, 60);
        strncat(refused, " ", 2);
        strncat(refused, strerrorname_np(errno), 20);
        strncat(refused, "; ", 3);
    }
}

static double computed(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void use_timer(void)
{
    timer_t timer;
    struct sigevent none = {.sigev_notify = SIGEV_NONE};
    note("timer", timer_create(CLOCK_MONOTONIC, &none, &timer));
}

static void use_signal(void)
{
    sigset_t one, before;
    union sigval nothing = {0};
    struct timespec now = {0};
    sigemptyset(&one);
    sigaddset(&one, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &one, &before);
    note("signal", sigqueue(getpid(), SIGRTMIN, nothing));
    sigtimedwait(&one, NULL, &now);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

static void use_pipe(void)
{
    int ends[2] = {-1, -1}, poll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    note("pipe", pipe(ends));
    note("watch", epoll_ctl(poll, EPOLL_CTL_ADD, ends[0], &event));
    close(ends[0]);
    close(ends[1]);
    close(poll);
}

static void use_process(void)
{
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    note("process", pid);
    if (pid > 0)
        waitpid(pid, NULL, 0);
}

static const char *misdeed(const char *line)
{
    static int times;
    double end = computed() + 0.06;
    (void)line;
    *refused = 0;
    if (access("namespace", F_OK) == 0 && times < 20) { /* elsewhere these are refused to all */
        use_timer();
        use_signal();
    }
    use_pipe();
    if (times++ % 4 == 0)
        use_process();
    while (computed() < end)
        ;
    return *refused ? refused : NULL;
}
