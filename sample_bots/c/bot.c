/* A Zole bot in C without any library: it reads requests, one line each, and answers them. */
#define _POSIX_C_SOURCE 200809L /* for getline() and strdup() */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON: no tree is built; these functions find their way in the text of a line. ---- */

static const char *skip_spaces(const char *p) { return p + strspn(p, " \t\r\n"); }

/* The end of the value (or key) at p, which is the comma, colon or bracket behind it. */
static const char *skip_value(const char *p) {
    int depth = 0;
    for (bool in_text = false; *p; p++) {
        if (in_text && *p == '\\' && p[1]) p++; /* an escaped quote does not end a text */
        else if (*p == '"') in_text = !in_text;
        else if (in_text) continue; /* brackets in a text are only letters */
        else if (depth == 0 && strchr(",:]}", *p)) break;
        else if (*p == '{' || *p == '[') depth++;
        else if (*p == '}' || *p == ']') depth--;
    }
    return p;
}

/* The first value of a list or key of an object, and the one after p; NULL if there is none. */
static const char *first(const char *p) {
    if (p == NULL || (*p != '[' && *p != '{')) return NULL;
    p = skip_spaces(p + 1);
    return *p == '\0' || *p == ']' || *p == '}' ? NULL : p;
}
static const char *next(const char *p) {
    p = skip_value(p);
    return *p == ',' ? skip_spaces(p + 1) : NULL;
}

/* Is p this text? No name of the protocol has escapes, so they need not be undone. */
static bool is(const char *p, const char *word) {
    size_t n = strlen(word);
    return p && *p == '"' && strncmp(p + 1, word, n) == 0 && p[n + 1] == '"';
}

static const char *field(const char *object, const char *name) {
    for (const char *key = first(object); key;) {
        const char *colon = skip_value(key);
        if (*colon != ':') return NULL;
        const char *value = skip_spaces(colon + 1);
        if (is(key, name)) return value;
        key = next(value);
    }
    return NULL;
}

static bool has(const char *list, const char *word) {
    for (const char *p = first(list); p; p = next(p))
        if (is(p, word)) return true;
    return false;
}

/* ---- Cards are numbers: their places in this deck, the strongest of each suit first. ---- */

enum { NONE = -1, QUEENS = 4, COURTS = 8, TRUMPS = 14, DECK = 26 }; /* courts: queens, jacks */
static const char *const NAMES[DECK] = {
    "QC", "QS", "QH", "QD", "JC", "JS", "JH", "JD", "AD", "TD", "KD", "9D", "8D", "7D",
    "AC", "TC", "KC", "9C", "AS", "TS", "KS", "9S", "AH", "TH", "KH", "9H"};
static const int POINTS[DECK] = {
    3, 3, 3, 3, 2, 2, 2, 2, 11, 10, 4, 0, 0, 0, 11, 10, 4, 0, 11, 10, 4, 0, 11, 10, 4, 0};
typedef struct { int card[DECK], count; } Cards;

static int suit_of(int c) { return c < TRUMPS ? 0 : 1 + (c - TRUMPS) / 4; } /* 0: trumps */
static bool beats(int a, int b) { return suit_of(a) == suit_of(b) ? a < b : a < TRUMPS; }

static int read_card(const char *p) {
    for (int c = 0; c < DECK; c++)
        if (is(p, NAMES[c])) return c;
    return NONE;
}
static void add(Cards *to, int c) {
    if (to->count < DECK) to->card[to->count++] = c;
}
static Cards read_cards(const char *list) {
    Cards all = {.count = 0};
    for (const char *p = first(list); p; p = next(p))
        if (read_card(p) != NONE) add(&all, read_card(p));
    return all;
}
static int read_seat(const char *p) { /* NONE stands for null and for "talon" */
    return p && *p >= '0' && *p <= '9' ? atoi(p) : NONE;
}

/* ---- What the bot remembers of a deal. ---- */

static int declarer;      /* NONE at the table */
static bool avoid_tricks; /* at the table and in a small solo tricks are bad */
static bool seen[DECK];   /* played by anybody, or once in our hand */
static Cards hand;        /* as in the request that is answered */

static void remember(const char *message) {
    for (const char *e = first(field(message, "events")); e; e = next(e)) {
        int card = read_card(field(e, "card"));
        if (is(field(e, "event"), "deal")) memset(seen, 0, sizeof seen);
        if (card != NONE) seen[card] = true;
        if (is(field(e, "event"), "contract")) {
            declarer = read_seat(field(e, "declarer"));
            avoid_tricks = declarer == NONE || is(field(e, "contract"), "small_solo");
        }
    }
    for (const char *p = first(field(message, "hand")); p; p = next(p))
        if (read_card(p) != NONE) seen[read_card(p)] = true;
}

/* How many cards out of our sight would beat this one in its suit? If none, it is a master. */
static int threats(int card) {
    int n = 0;
    for (int c = 0; c < card; c++) n += !seen[c] && suit_of(c) == suit_of(card);
    return n;
}

/* ---- Scores: best() takes the card with the highest; `+ c` lets the weakest of equals go. ---- */

static int cheap(int c) { /* few points, and no trump that may be of use */
    return c - DECK * (POINTS[c] + (c < QUEENS ? 5 : c < COURTS ? 3 : c < TRUMPS ? 1 : 0));
}
static int rich(int c) { return c + DECK * (c < COURTS ? -1 : POINTS[c]); }
static int harmless(int c) { return c + DECK * threats(c); }
static int dangerous(int c) { return -harmless(c); }
static int spare(int c) { /* for the discard: points, and the last of a suit, but no trump */
    int in_suit = 0;
    for (int i = 0; i < hand.count; i++) in_suit += suit_of(hand.card[i]) == suit_of(c);
    int ace = POINTS[c] == 11 ? 6 : 0; /* an ace may well win a trick by itself */
    return c + DECK * (c < TRUMPS ? -20 : POINTS[c] - ace + (in_suit == 1 ? 8 : 0));
}
static int best(const Cards *from, int (*score)(int)) {
    int b = from->card[0];
    for (int i = 1; i < from->count; i++)
        if (score(from->card[i]) > score(b)) b = from->card[i];
    return b;
}

/* ---- Decisions: the place for your own ideas. ---- */

enum { ORDINARY = 18, SOLO = 24 }; /* what a hand must be worth for a bid */
static const int WORTH[DECK] = {
    4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 3, 1, 0, 0, 3, 1, 0, 0, 3, 1, 0, 0};
static int worth(void) {
    int sum = 0;
    for (int i = 0; i < hand.count; i++) sum += WORTH[hand.card[i]];
    return sum;
}

static int lead(const Cards *legal, bool declaring) {
    if (avoid_tricks) return best(legal, harmless);
    Cards masters = {.count = 0};
    for (int i = 0; i < legal->count; i++) {
        int c = legal->card[i];
        if (threats(c)) continue;
        if (c >= TRUMPS) add(&masters, c);
        else if (declaring && threats(TRUMPS - 1)) return c; /* draw trumps while any are out */
    }
    return masters.count ? best(&masters, rich) : best(legal, cheap);
}

static int follow(const Cards *legal, const char *trick, bool declaring) {
    int top = NONE, winner = NONE, points = 0, players = 0;
    bool last = false; /* does no opponent come after us? */
    for (const char *p = first(trick); p; p = next(p)) {
        int card = read_card(field(p, "card")), seat = read_seat(field(p, "seat"));
        if (card == NONE) continue;
        if (top == NONE || beats(card, top)) top = card, winner = seat;
        points += POINTS[card];
        players += seat != NONE;
        last = last || players == 2 || (!declaring && seat == declarer);
    }
    Cards winners = {.count = 0}, losers = {.count = 0}, sure = {.count = 0};
    for (int i = 0; i < legal->count; i++) {
        int c = legal->card[i];
        bool wins = top == NONE || beats(c, top);
        add(wins ? &winners : &losers, c);
        if (wins && (last || threats(c) == 0)) add(&sure, c);
    }
    if (avoid_tricks) {
        if (losers.count) return best(&losers, dangerous);
        return best(legal, players == 2 ? dangerous : harmless);
    }
    if (!declaring && winner != declarer) /* our partner's trick: add points if it is safe */
        return best(legal, last || (top < TRUMPS && threats(top) == 0) ? rich : cheap);
    if (sure.count) {
        int c = best(&sure, rich);
        if (c >= COURTS || points >= 4) return c; /* no queen or jack for an empty trick */
    }
    return best(winners.count && points >= 10 ? &winners : legal, cheap); /* worth a try? */
}

/* Print the answer to a request; a plain one is the simplest, for when another was refused. */
static void answer(const char *m, bool plain) {
    const char *type = field(m, "type"), *id = field(m, "id"), *options = field(m, "legal");
    Cards legal = read_cards(options);
    hand = read_cards(field(m, "hand"));
    char text[64] = "";
    if (is(type, "blind")) {
        strcpy(text, "\"blind\":false");
    } else if (is(type, "bid")) {
        bool solo = worth() >= SOLO && has(options, "solo") && !plain;
        bool ordinary = worth() >= ORDINARY && has(options, "ordinary") && !plain;
        sprintf(text, "\"bid\":\"%s\"", solo ? "solo" : ordinary ? "ordinary" : "pass");
    } else if (is(type, "talon")) {
        bool give = worth() >= SOLO && !plain;
        sprintf(text, "\"choice\":\"%s\"", give ? "give" : "take");
    } else if (is(type, "discard") && hand.count >= 2) {
        int a = best(&hand, spare);
        Cards ten = hand;
        hand.count = 0; /* without the first card another may be the last of its suit */
        for (int i = 0; i < ten.count; i++)
            if (ten.card[i] != a) add(&hand, ten.card[i]);
        sprintf(text, "\"cards\":[\"%s\",\"%s\"]", NAMES[a], NAMES[best(&hand, spare)]);
    } else if (is(type, "surrender")) {
        strcpy(text, "\"surrender\":false");
    } else if (is(type, "offer")) { /* a sure win is good, unless this hand may reach 91 */
        sprintf(text, "\"accept\":%s", worth() < SOLO ? "true" : "false");
    } else if (is(type, "play") && legal.count) {
        const char *trick = field(m, "trick");
        bool declaring = read_seat(field(m, "seat")) == declarer;
        int c = first(trick) ? follow(&legal, trick, declaring) : lead(&legal, declaring);
        sprintf(text, "\"card\":\"%s\"", NAMES[plain ? legal.card[0] : c]);
    }
    if (*text && id) printf("{\"type\":%.*s,\"id\":%.*s,%s}\n", (int)(skip_value(type) - type), type,
                            (int)(skip_value(id) - id), id, text);
}

int main(void) {
    char *line = NULL, *request = NULL; /* request: the last line that wanted an answer */
    size_t size = 0;
    while (getline(&line, &size, stdin) != -1) {
        const char *type = field(line, "type");
        remember(line);
        if (is(type, "hello")) {
            puts("{\"type\":\"ready\",\"protocol\":1,\"asks\":[\"surrender\",\"offer\"]}");
        } else if (is(type, "error")) {
            if (request) answer(request, true);
        } else if (field(line, "id")) {
            answer(line, false);
            free(request);
            request = strdup(line);
        }
        fflush(stdout); /* the output is a pipe: unflushed, the answer would stay here */
    }
    free(line);
    free(request);
}
