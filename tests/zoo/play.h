/* Honest, deterministic play for the C animals, with one moment for a misdeed.

   An animal defines misdeed(). It is called once, with the line of the first request, and returns
   the note of the answer, or NULL. An animal that tries acts notes each with act() or aside() and
   returns report(). A number as its argument makes a bot declare in every third deal, the first
   of which the number shifts. Where EACH_TIME is defined, misdeed() is called at every request. */

#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *misdeed(const char *line);

static char play_held[480], play_escaped[480], play_note[1000];
static int play_turn = -1;

static inline void play_add(char *list, const char *what, const char *outcome)
{
    size_t used = strlen(list);
    snprintf(list + used, 480 - used, "%s%s %s", used ? ", " : "", what, outcome);
}

/* Notes what came of an act: a negative result failed with errno, any other succeeded. */
static inline void act(const char *what, long result)
{
    if (result < 0)
        play_add(play_held, what, strerrorname_np(errno));
    else
        play_add(play_escaped, what, "worked");
}

/* Does an act in a child process, so that what it changes is gone afterwards, and notes it. */
static inline void aside(const char *what, long (*try)(long), long value)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0)
        _exit(try(value) < 0 ? errno : 0);
    if (pid < 0 || waitpid(pid, &status, 0) < 0) {
        act(what, -1);
    } else if (WIFSIGNALED(status)) {
        play_add(play_held, what, sigabbrev_np(WTERMSIG(status)));
    } else {
        errno = WEXITSTATUS(status);
        act(what, errno ? -1 : 0);
    }
}

/* Keeps all that was taken until the input has ended, for whoever counts it. */
static inline void play_hold(void)
{
    struct pollfd input = {.fd = 0};
    poll(&input, 1, -1);
}

/* The note for all acts so far. */
static inline const char *report(void)
{
    snprintf(play_note, sizeof play_note, "%s%s%s%s%s", *play_escaped ? "ESCAPED: " : "",
             play_escaped, *play_escaped && *play_held ? "; " : "", *play_held ? "held: " : "",
             play_held);
    return play_note;
}

/* "ordinary" in its turn, or with at least four queens and jacks, if it is legal; else "pass". */
static inline const char *play_bid(const char *line, const char *hand)
{
    int strong = 0;
    for (const char *at = hand; *at && *at != ']'; at++)
        strong += *at == 'Q' || *at == 'J';
    const char *deal = strstr(line, "\"deal\":");
    int declares = strong >= 4;
    if (play_turn >= 0)
        declares = ((deal ? atol(deal + 7) : 0) + play_turn) % 3 == 2;
    const char *legal = strstr(line, "\"legal\":[");
    const char *ordinary = legal ? strstr(legal, "\"ordinary\"") : NULL;
    return declares && ordinary && ordinary < strchr(legal, ']') ? "ordinary" : "pass";
}

static inline void play_answer(const char *line, const char *type, const char *note)
{
    const char *id = strstr(line, "\"id\":");
    const char *hand = strstr(line, "\"hand\":[");
    const char *end = hand ? strchr(hand, ']') : NULL;
    const char *legal = strstr(line, "\"legal\":[\"");
    printf("{\"type\":\"%s\",\"id\":%ld", type, id ? atol(id + 5) : 0);
    if (!strcmp(type, "bid") && hand)
        printf(",\"bid\":\"%s\"", play_bid(line, hand + 8));
    else if (!strcmp(type, "discard") && end)
        printf(",\"cards\":[\"%.2s\",\"%.2s\"]", end - 8, end - 3);
    else if (!strcmp(type, "play") && legal)
        printf(",\"card\":\"%.2s\"", legal + 10);
    else if (!strcmp(type, "talon"))
        printf(",\"choice\":\"take\"");
    else
        printf(",\"%s\":false", strcmp(type, "offer") ? type : "accept");
    if (note)
        printf(",\"note\":\"%s\"", note);
    printf("}\n");
    fflush(stdout);
}

/* Whether a type is one of today's questions: others may come, and want no answer. */
static inline int is_question(const char *type)
{
    static const char *const known = " bid blind discard offer play surrender talon ";
    char word[20];
    snprintf(word, sizeof word, " %s ", type);
    return strstr(known, word) != NULL;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        play_turn = atoi(argv[1]);
    char *line = NULL, type[16];
    size_t size = 0;
    int first = 1;
    while (getline(&line, &size, stdin) > 0) {
        if (sscanf(line, "{\"type\":\"%15[a-z_]", type) != 1)
            continue;
        if (!strcmp(type, "bye"))
            break;
        if (!strcmp(type, "hello")) {
            printf("{\"type\":\"ready\",\"protocol\":1}\n");
            fflush(stdout);
        } else if (strstr(line, "\"id\":") && is_question(type)) {
            const char *note = first ? misdeed(line) : NULL;
#ifndef EACH_TIME
            first = 0;
#endif
            play_answer(line, type, note);
        }
    }
    return 0;
}
