/* Solves a deal of Zole with open hands: what each side gets when everybody plays perfectly.

Method. A deal is played by a hero against two others who work together. With a contract the hero
is the declarer, and what counts is a level of the payment table, or card points. At the table the
hero is the seat under review and the two others are taken as allies against it (the "paranoid"
reduction of a game of three: Sturtevant and Korf, "On pruning techniques for multi-player games",
AAAI 2000); the value is what the seat is sure of, whatever the others do.

Every question is asked as yes or no, "does the hero reach at least this?", by an alpha-beta search
of width one; the value is found by a few such questions (compare MTD(f): Plaat, Schaeffer, Pijls
and de Bruin, "Best-first fixed-depth minimax algorithms", Artificial Intelligence 87, 1996). A
table keeps what is known of positions between tricks; it keeps bounds on what is still needed, so
that one entry answers many questions (as bridge solvers do: Ginsberg, "GIB: Imperfect information
in a computationally challenging game", JAIR 14, 2001). Of a contract it tells positions by who
holds cards of which rank and worth, so that one entry serves all deals that come to the same; a
search says how many points it has proved, not only whether they are enough (fail-soft: Fishburn,
"Another optimization of alpha-beta search", SIGART 84, 1983); and tricks that a player wins
whatever the others do are counted before they are played (a bridge player's quick tricks).
Neighbours in one hand that are worth the same are tried once.

Cards are numbers as in arena/zole/cards.py: fourteen trumps from the strongest, then ace, ten,
king, nine of clubs, spades and hearts; a set of cards is a word with bit `card` set. Players are
places, 0 forehand, 1 middlehand, 2 rearhand; 3 is the talon, where it plays in a table game.

Interface. `buffer()` is the address of a `Question`, which `solve()` turns into an `Answer` at the
address `answer()`. Both consist of 32-bit integers only. Nothing is imported and nothing is
allocated; one instance answers one question at a time. */

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t Cards;

enum { CARDS = 26, TRUMP_CARDS = 14, SEATS = 3, TALON = 3, NOBODY = -1 };
enum { MOST_TRICKS = 8, MOST_POINTS = 120, DISCARDS = 45, HAND = 10, ROWS = 45 };

/* What is asked. */
enum { VALUE, EACH_CARD, EACH_DISCARD, BEST_DISCARD };                         /* task */
enum { STAKES = 1, POINTS = 2, TABLE = 4 };                                    /* goal, added up */
enum { MOST_TRICKS_PAYS, MOST_POINTS_PAYS, FEWEST_TRICKS_COLLECTS };           /* settlement */
enum { SOLVED, GAVE_UP };                                                      /* status */

typedef struct {
    int32_t task, goal;
    int32_t hero;            /* place of the declarer, or of the seat under review at the table */
    int32_t hands[SEATS];    /* sets of cards by place; for a discard the declarer's has ten */
    int32_t turn;            /* place of who plays next */
    int32_t tricks_left;     /* the one on the table included */
    int32_t laid;            /* how many cards are on the table, the talon's lead included */
    int32_t trick[SEATS];    /* they, in order */
    int32_t talon_led;       /* whether the first of them is the talon's */
    int32_t talon[2];        /* talon cards still to play in this trick and in the next, or -1 */
    int32_t tricks[SEATS];   /* taken so far, by place */
    int32_t points[SEATS];   /* card points taken so far, by place; the declarer's discards added */
    int32_t settlement;      /* of a table game */
    int32_t most_nodes;      /* give up after so many; 0: never */
    int32_t least;           /* contract, its value: levels below this need not be told apart */
    int32_t no_tricks, all_tricks, by_points[MOST_POINTS + 1];
    /* level of a deal in which the declarer took none, all or some tricks; 0 is the worst */
    int32_t sets, set[DISCARDS]; /* the cards or discards to be valued, and how many; 0: all */
} Question;

typedef struct {
    int32_t cards;  /* the set laid or discarded; 0 for the value of the position */
    int32_t stakes; /* level for the declarer; at the table times the stake to the hero, -2 to 2 */
    int32_t points; /* the declarer's, with what it had */
} Row;

typedef struct {
    int32_t status, nodes, rows;
    Row row[ROWS];
} Answer;

static Question asked;
static Answer given;

/* --- cards --- */

static const Cards TRUMPS = (1u << TRUMP_CARDS) - 1;
static const Cards QUEENS = 0xFu, JACKS = 0xFu << 4;
static const Cards NINES_AND_BELOW = 7u << 11 | 1u << 17 | 1u << 21 | 1u << 25;
static const Cards ACES = 1u << 8 | 1u << 14 | 1u << 18 | 1u << 22;
static const Cards TENS = 1u << 9 | 1u << 15 | 1u << 19 | 1u << 23;
static const Cards KINGS = 1u << 10 | 1u << 16 | 1u << 20 | 1u << 24;
static const uint8_t POINTS_OF[CARDS] = {3, 3, 3,  3,  2, 2, 2,  2,  11, 10, 4, 0,  0,
                                         0, 11, 10, 4, 0, 11, 10, 4, 0,  11, 10, 4, 0};

static inline Cards bit(int card) { return 1u << card; }
static inline int strongest(Cards cards) { return __builtin_ctz(cards); }
static inline int weakest(Cards cards) { return 31 - __builtin_clz(cards); }
static inline int next_place(int place) { return place == SEATS - 1 ? 0 : place + 1; }
static inline int larger(int one, int other) { return one > other ? one : other; }
static inline int smaller(int one, int other) { return one < other ? one : other; }

static inline Cards suit_of(int card) {
    return card < TRUMP_CARDS ? TRUMPS : 0xFu << (((card + 2) & ~3) - 2);
}

/* The cards that take a trick over from one that holds it. */
static inline Cards beating(int card) {
    Cards stronger = suit_of(card) & (bit(card) - 1);
    return card < TRUMP_CARDS ? stronger : stronger | TRUMPS;
}

/* The cards of a suit above all of it that others hold. */
static inline Cards top_run(Cards suit, Cards hand) {
    Cards others = suit & ~hand;
    return others ? suit & (bit(strongest(others)) - 1) : suit;
}

static inline int points_of(Cards cards) {
    return 11 * __builtin_popcount(cards & ACES) + 10 * __builtin_popcount(cards & TENS) +
           4 * __builtin_popcount(cards & KINGS) + 3 * __builtin_popcount(cards & QUEENS) +
           2 * __builtin_popcount(cards & JACKS);
}

/* The fewest points that so many cards of a hand can have. */
static inline int fewest_points(Cards hand, int count) {
    static const int worth[] = {2, 3, 4, 10};
    const Cards classes[] = {JACKS, QUEENS, KINGS, TENS};
    int found = 0;
    count -= __builtin_popcount(hand & NINES_AND_BELOW);
    for (int i = 0; i < 4 && count > 0; ++i) {
        int some = smaller(count, __builtin_popcount(hand & classes[i]));
        found += some * worth[i];
        count -= some;
    }
    return count > 0 ? found + 11 * count : found;
}

/* --- the deal and the question at hand --- */

static Cards hands[SEATS];
static int hero;
static int talon_at[MOST_TRICKS + 2]; /* the talon's card by tricks left, or NOBODY */
static bool whole_deal;               /* every card is played, so all tricks are all points */

/* A yes or no question about a contract: does the declarer reach a level, or so many points? */
static struct {
    bool none_wins, all_wins; /* whether no trick does, and whether all tricks do */
    bool threshold;           /* otherwise `need` points and more do; if not, see `wins_below` */
    bool points_matter;       /* else only tricks do */
    int need, id;
    uint8_t wins_below[MOST_POINTS + 2]; /* how many of the totals below a total do */
} target;

/* Players of a table game are compared by one number each: tricks before points, or points before
tricks. A position keeps how far each of the others is ahead of the hero, who wants them to be. */
enum { TRICK_FIRST = 256, POINT_FIRST = 16 };
static int trick_worth, point_worth;
static int wanted; /* the payment that the hero is to reach, in stakes */

/* Points decide only between equal numbers of tricks, so a search that ignores them often settles a
question: it assumes that points break every tie against the hero, or for it. */
enum { EXACT, AGAINST, FOR };

/* The game between two tricks. */
typedef struct {
    Cards left;       /* in all hands, and of the talon's what still plays */
    int leader;       /* a place, or TALON */
    int tricks, rest; /* tricks to play, and card points in `left` */
    union {
        /* contract: the declarer's points, and who has taken tricks */
        struct { int points, took; };
        /* table: how far the next player and the one after it are ahead of the hero */
        struct { int next_ahead, far_ahead; };
    };
    int view; /* table: EXACT, AGAINST or FOR */
} Position;
enum { HERO_TOOK = 1, OTHERS_TOOK = 2, BOTH_TOOK = 3 };

/* A trick on the table. */
typedef struct {
    Cards follow;     /* the suit led, 0 before the lead */
    Cards over;       /* what would take the trick over */
    Cards cards;      /* on the table */
    int8_t laid, due; /* how many those are, and how many it will be */
    int8_t holder, points;
} Trick;

static bool table_game, gave_up;
static uint32_t nodes, most_nodes;

/* --- the table of positions --- */

typedef struct {
    uint64_t key : 59, best : 5; /* what position, and the card that settled it last */
    int16_t yes[2];              /* the hero reaches its aim from this or better */
    int16_t no[2];               /* it does not from this or worse */
} Entry;
enum { TABLE_BITS = 16, NO_CARD = 31, UNKNOWN = 0x3FFF, MOST_DEALS = (1 << 12) - 1 };
static Entry entries[1u << TABLE_BITS];
static uint32_t deal_number; /* in the keys of positions that are one deal's alone, from 1 */

/* The entry of a key, empty if it was another's. `salt` spreads keys that compete for one place. */
static Entry *entry_of(uint64_t key, uint32_t salt) {
    uint64_t mixed = (key ^ (uint64_t)salt << 38) * 0x9E3779B97F4A7C15u;
    Entry *entry = &entries[mixed >> (64 - TABLE_BITS)];
    if (entry->key != key)
        *entry = (Entry){key, NO_CARD, {UNKNOWN, UNKNOWN}, {-UNKNOWN, -UNKNOWN}};
    return entry;
}

/* By tricks left, cards on the table and place: the card that last settled a question in such a
place when a card of more promise had not. */
static uint8_t killers[MOST_TRICKS + 1][SEATS + 1][SEATS];

static void clear_table(void) {
    for (uint32_t i = 0; i < 1u << TABLE_BITS; ++i) entries[i].key = 0;
}

/* From now on, positions are another deal's. */
static void begin_number(void) {
    for (int tricks = 0; tricks <= MOST_TRICKS; ++tricks)
        for (int laid = 0; laid <= SEATS; ++laid)
            for (int place = 0; place < SEATS; ++place) killers[tricks][laid][place] = NO_CARD;
    if (deal_number < MOST_DEALS) {
        ++deal_number;
        return;
    }
    clear_table();
    deal_number = 1;
}

/* Whose each card is, counted from the hero: 1 for the hero, 2 and 3 for those after it. The first
bit of each number is in one set, the second in the other. */
static Cards first_bits, second_bits;

/* Four cards, of which those left have such a number: its first bits, then its second bits. The
numbers move together as if cards that are gone had been the weakest. */
static uint8_t closed_up[256];

static void begin_holders(void) {
    Cards next = hands[next_place(hero)], far = hands[next_place(next_place(hero))];
    first_bits = hands[hero] | far;
    second_bits = next | far;
    if (closed_up[1]) return;
    for (int four = 0; four < 256; ++four) {
        int found = 0, count = 0;
        for (int card = 0; card < 4; ++card) {
            int holder = (four >> card & 1) | (four >> card & 16);
            if (holder) found |= holder << count++;
        }
        closed_up[four] = (uint8_t)found;
    }
}

/* What is left, up to names of cards: the holders of the queens in their order, of the jacks and of
the trumps worth nothing; of the diamonds and plain cards worth something the holder of each rank.
Plain suits may change places. 52 bits. */
static inline uint64_t shape_of(Cards left) {
    Cards first = first_bits & left, second = second_bits & left;
#define HOLDERS(from, size, set) ((first >> from & set) | (second >> from & set) << size)
    uint64_t queens = closed_up[HOLDERS(0, 4, 15)], jacks = closed_up[HOLDERS(4, 4, 15)];
    uint64_t diamonds = HOLDERS(8, 3, 7), low = closed_up[HOLDERS(11, 4, 7)];
    uint64_t one = HOLDERS(14, 4, 15), two = HOLDERS(18, 4, 15), three = HOLDERS(22, 4, 15), least;
#undef HOLDERS
    if (one < two) least = one, one = two, two = least;
    if (two < three) least = two, two = three, three = least;
    if (one < two) least = one, one = two, two = least;
    low = (low & 7) | (low >> 4) << 3;
    return queens | jacks << 8 | diamonds << 16 | low << 22 | one << 28 | two << 36 | three << 44;
}

/* --- what is decided already --- */

enum { OPEN = -1 };

/* Whether all outcomes still possible in a contract answer the question alike: from the least to
the most points of the declarer, with so many tricks to come. */
static int contract_verdict(int least, int most, int took, int tricks) {
    bool none = !(took & HERO_TOOK), all = !(took & OTHERS_TOOK);
    bool some = took == BOTH_TOOK || tricks >= 2 - (took != 0);
    bool some_win, some_lose;
    if (target.threshold) {
        some_win = most >= target.need;
        some_lose = least < target.need;
    } else {
        if (most > MOST_POINTS) most = MOST_POINTS;
        int wins = target.wins_below[most + 1] - target.wins_below[least];
        some_win = wins > 0;
        some_lose = wins < most - least + 1;
    }
    bool yes = (none && target.none_wins) || (all && target.all_wins) || (some && some_win);
    bool no = (none && !target.none_wins) || (all && !target.all_wins) || (some && some_lose);
    return yes && no ? OPEN : yes;
}

/* The same with the tricks counted that one player is sure of, in a deal played to its end: its
trumps above all others; and if it leads and draws all trumps with these, its plain cards above all
others. Those win only if it leads them, and so tell nothing but that it has what it wants. `least`
and `most` become what is then known. */
static int sure_verdict(const Position *at, int *least, int *most) {
    Cards trumps = at->left & TRUMPS, run = 0;
    int owner = at->leader;
    bool by_leading = false;
    if (trumps) {
        Cards top = bit(strongest(trumps));
        owner = hands[0] & top ? 0 : hands[1] & top ? 1 : 2;
        run = top_run(trumps, hands[owner]);
    }
    Cards next = hands[next_place(owner)] & at->left;
    Cards far = hands[next_place(next_place(owner))] & at->left;
    int count = __builtin_popcount(run);
    if (owner == at->leader && __builtin_popcount(next & TRUMPS) <= count &&
        __builtin_popcount(far & TRUMPS) <= count) {
        for (int ace = TRUMP_CARDS; ace < CARDS; ace += 4)
            run |= top_run(suit_of(ace) & at->left, hands[owner]);
        by_leading = __builtin_popcount(run) > count;
        count = __builtin_popcount(run);
    }
    if (!count) return OPEN;
    int open = larger(at->tricks - count, 0), won = at->rest;
    if (open) won = points_of(run) + fewest_points(next, count) + fewest_points(far, count);
    if (owner == hero) *least += won;
    else *most -= won;
    if (!open && owner == hero) *most = *least;
    if (!open && owner != hero) *least = *most;
    int took = at->took | (owner == hero ? HERO_TOOK : OTHERS_TOOK);
    int verdict = contract_verdict(*least, *most, took, open);
    return by_leading && verdict != (owner == hero) ? OPEN : verdict;
}

/* Whether the hero is paid what it wants. With a slack, each other is so much further ahead at
most, or if negative, so much less. */
static bool paid(int one, int two, int slack) {
    int behind = smaller(one, two), ahead = larger(one, two);
    if (asked.settlement == FEWEST_TRICKS_COLLECTS) {
        switch (wanted) {
            case 2: return behind + slack > 0;
            case 1: return behind + slack >= 0 && ahead + slack > 0;
            case 0: return behind + slack >= 0;
            default: return slack > 0 || ahead - behind > -slack || behind >= -slack;
        }
    }
    switch (wanted) {
        case 2: return slack >= 0 && ahead - behind <= slack && ahead + slack > 0;
        case 1: return ahead + slack > 0;
        case 0: return ahead + slack > 0 || behind + slack >= 0;
        default: return ahead + slack >= 0;
    }
}

/* Payments for which more for the others is not always better for the hero: they hang on a tie. */
static bool wants_tie(void) {
    return wanted == (asked.settlement == FEWEST_TRICKS_COLLECTS ? -1 : 2);
}

static int slack_of(int view) {
    return view == EXACT ? 0 : view == FOR ? MOST_POINTS : -MOST_POINTS;
}

/* How many tricks a player of a table game is sure of, if all cards are played: each of its trumps
wins but those that a stronger one is played on, which another can do once with each. */
static int sure_tricks(const Position *at, int place) {
    Cards trumps = at->left & TRUMPS, own = trumps & hands[place];
    int sure = 0, beaten = 0;
    if (!whole_deal) return 0;
    for (; own; own &= own - 1) {
        Cards above = trumps & ~hands[place] & (bit(strongest(own)) - 1);
        if (__builtin_popcount(above) > beaten) ++beaten;
        else ++sure;
    }
    return sure;
}

static int table_verdict(const Position *at) {
    int slack = slack_of(at->view), one = at->next_ahead, two = at->far_ahead;
    if (!at->tricks) return paid(one, two, slack);
    int points = at->view == EXACT ? at->rest * point_worth : 0;
    if (!wants_tie()) {
        int next = next_place(hero), far = next_place(next);
        int mine = sure_tricks(at, hero), one_sure = sure_tricks(at, next), two_sure = sure_tricks(at, far);
        int open = at->tricks - mine - one_sure - two_sure, most = open * trick_worth + points;
        one += (one_sure - mine) * trick_worth, two += (two_sure - mine) * trick_worth;
        if (paid(one - most, two - most, slack)) return true;
        return paid(one + most, two + most, slack) ? OPEN : false;
    }
    int most = at->tricks * trick_worth + points;
    if (slack < 0) slack = -slack;
    bool tie = larger(one - two, two - one) <= most + slack;
    if (wanted == 2) return tie && larger(one, two) + most + slack > 0 ? OPEN : false;
    return tie && smaller(one, two) - most - slack < 0 ? OPEN : true;
}

/* --- the search --- */

/* A search returns points of which it has proved something, from its position on. At least as many as
the question needs from there are a yes: the hero gets these or more. Fewer are a no: it gets these
or fewer. Where points alone do not decide, `YES` or `NO` stand for them. */
enum { YES = 1000, NO = -1000 };

static inline int need_of(const Position *at) {
    return !table_game && target.threshold ? target.need - at->points : 1;
}

static int at_trick(const Position *at);
static int choose(const Position *at, Cards left, const Trick *trick, int place, int *best);

static Trick new_trick(const Position *at) {
    bool talon_plays = table_game && talon_at[at->tricks] != NOBODY;
    return (Trick){.due = SEATS + talon_plays, .holder = NOBODY};
}

static void lay(Trick *trick, int place, int card) {
    if (!trick->laid++) trick->follow = suit_of(card), trick->over = bit(card);
    if (trick->over & bit(card)) trick->over = beating(card), trick->holder = place;
    trick->cards |= bit(card);
    trick->points += POINTS_OF[card];
}

/* The position after a complete trick. */
static int taken(const Position *at, Cards left, const Trick *trick) {
    Position next = *at;
    next.left = left;
    next.leader = trick->holder;
    next.tricks = at->tricks - 1;
    next.rest = at->rest - trick->points;
    if (!table_game) {
        if (trick->holder == hero) next.points += trick->points;
        next.took |= trick->holder == hero ? HERO_TOOK : OTHERS_TOOK;
        return (trick->holder == hero ? trick->points : 0) + at_trick(&next);
    }
    int worth = trick_worth + (at->view == EXACT ? trick->points * point_worth : 0);
    if (trick->holder == hero) next.next_ahead -= worth, next.far_ahead -= worth;
    else if (trick->holder == next_place(hero)) next.next_ahead += worth;
    else if (trick->holder != TALON) next.far_ahead += worth; /* the talon's is nobody's */
    if (trick->holder == TALON && talon_at[next.tricks] == NOBODY) next.leader = 0;
    return at_trick(&next);
}

/* A card is laid; then the next player chooses, or the trick is complete. */
static inline int after_card(const Position *at, Cards left, const Trick *before, int place,
                             int card) {
    Trick trick = *before;
    int unused = NO_CARD;
    lay(&trick, place, card);
    left &= ~bit(card);
    if (trick.laid < trick.due) {
        bool talon_last = trick.due == SEATS + 1 && trick.laid == SEATS && at->leader != TALON;
        if (!talon_last) return choose(at, left, &trick, next_place(place), &unused);
        lay(&trick, TALON, talon_at[at->tricks]);
        left &= ~bit(talon_at[at->tricks]);
    }
    return taken(at, left, &trick);
}

/* Whether a stronger card of the same hand is just as good: no card still in play is between them,
and they are worth the same. */
static inline bool has_equal(Cards hand, Cards in_play, int card, bool points_matter) {
    Cards stronger = in_play & suit_of(card) & (bit(card) - 1);
    if (!stronger) return false;
    int neighbour = weakest(stronger);
    return hand & bit(neighbour) &&
           (!points_matter || POINTS_OF[neighbour] == POINTS_OF[card]);
}

enum { MOST_PROMISING = 1000, KILLER = 8 };

/* How promising a card looks for its player. Only the order of the search hangs on it. */
static int contract_promise(Cards left, const Trick *trick, int place, int card) {
    int points = POINTS_OF[card];
    Cards others = left & ~hands[place] & suit_of(card);
    bool high = !(others & (bit(card) - 1));
    if (!trick->laid) {
        if (card < TRUMP_CARDS) return high ? 20 : 8 - points;
        return high ? (others ? 30 : 10) + points : -points;
    }
    bool last = trick->laid == SEATS - 1, wins = trick->over & bit(card);
    bool ally = place != hero && trick->holder != hero;
    int spent = card < 8 ? 12 - card : 0; /* a queen or jack is better kept */
    if (wins && !ally) {
        if (last) return 40 + points - spent;
        return (high ? 30 + points : 5 - points) - spent;
    }
    if (ally && last) return wins ? points + 5 : points + 8;
    return ally ? points / 2 : -points - spent / 2;
}

static int table_promise(Cards left, const Trick *trick, int place, int card) {
    int low = card < TRUMP_CARDS ? card : 2 * ((card - TRUMP_CARDS) & 3) + 8;
    if (!trick->laid) {
        Cards follows = place == hero ? 0 : hands[hero] & left & suit_of(card);
        bool hero_above = follows && weakest(follows) < card;
        return hero_above ? low + 10 : low;
    }
    bool last = trick->laid == trick->due - 1, wins = trick->over & bit(card);
    if (place == hero) return wins ? (last ? 20 - low : low - 20) : 40 - low;
    if (trick->holder == hero) return wins ? -low : 40 - low;
    return last ? 40 - low : low;
}

/* A player tries its cards until one settles the question for it. */
static int choose(const Position *at, Cards left, const Trick *trick, int place, int *best) {
    if (++nodes > most_nodes) gave_up = true;
    if (gave_up) return NO;
    Cards hand = hands[place] & left, cards = trick->follow & hand;
    if (!cards) cards = hand;
    if (!(cards & (cards - 1))) return after_card(at, left, trick, place, strongest(cards));
    Cards in_play = left | trick->cards;
    bool points_matter = table_game ? at->view == EXACT : target.points_matter;
    uint8_t *killer = &killers[at->tricks][trick->laid][place];
    int ranked[HAND], count = 0; /* promise and card in one number, the best first */
    for (Cards rest = cards; rest; rest &= rest - 1) {
        int card = strongest(rest);
        if (has_equal(cards, in_play, card, points_matter)) continue;
        int promise = card == *best ? MOST_PROMISING
                      : table_game  ? table_promise(left, trick, place, card)
                                    : contract_promise(left, trick, place, card);
        if (card == *killer) promise += KILLER;
        int rank = promise * 32 + 31 - card, i = count++;
        for (; i && ranked[i - 1] < rank; --i) ranked[i] = ranked[i - 1];
        ranked[i] = rank;
    }
    bool mine = place == hero;
    int need = need_of(at), proved = mine ? 2 * NO : 2 * YES;
    for (int i = 0; i < count; ++i) {
        int card = 31 - (ranked[i] & 31);
        int found = after_card(at, left, trick, place, card);
        proved = mine ? larger(proved, found) : smaller(proved, found);
        if ((proved >= need) == mine) {
            *best = card;
            if (i) *killer = card;
            break;
        }
    }
    return proved;
}

static int lead(const Position *at, int *best) {
    Trick trick = new_trick(at);
    Cards left = at->left;
    int place = at->leader;
    if (place == TALON) {
        lay(&trick, TALON, talon_at[at->tricks]);
        left &= ~trick.cards;
        place = 0;
    }
    return choose(at, left, &trick, place, best);
}

/* Every player has one card left. */
static int last_trick(const Position *at) {
    Trick trick = new_trick(at);
    int place = at->leader;
    for (int i = 0; i < SEATS; ++i, place = next_place(place))
        lay(&trick, place, strongest(hands[place] & at->left));
    return taken(at, 0, &trick);
}

static uint64_t place_key(const Position *at) {
    return at->left | (uint64_t)at->leader << CARDS | (uint64_t)deal_number << 46;
}

/* Which tricks count, besides points. */
enum { BY_POINTS = BOTH_TOOK << 2 };
static int kind_of(int took) {
    return took == BOTH_TOOK ? BY_POINTS : took << 2 | target.none_wins << 1 | target.all_wins;
}

/* A contract between tricks where the question is one of a threshold of points. An entry's bounds are
points still needed, negative, so that more is better for the hero. Its key tells the questions apart
in which tricks count, too: there an entry knows no more than whether the need is met. */
static int threshold_at_trick(const Position *at) {
    int needed = need_of(at), need = larger(needed, 0), took = at->took;
    if (need > at->rest) need = MOST_POINTS + 1;
    /* Points imply a trick, and all tricks imply all points: then tricks do not count. */
    if (need > 0 && !target.none_wins) took |= HERO_TOOK;
    if (need <= at->rest && target.all_wins && whole_deal) took |= OTHERS_TOOK;
    int kind = kind_of(took);
    uint64_t leader = (uint64_t)(at->leader - hero + SEATS) % SEATS;
    uint64_t key = shape_of(at->left) | leader << 52 | (uint64_t)kind << 54 | (uint64_t)1 << 58;
    Entry *entry = entry_of(key, 0);
    if (-need >= entry->yes[0]) return kind == BY_POINTS ? -entry->yes[0] : needed;
    if (-need <= entry->no[0]) return kind == BY_POINTS ? -entry->no[0] - 1 : needed - 1;
    int best = entry->best, proved = lead(at, &best);
    if (gave_up) return NO;
    bool reached = proved >= needed;
    if (kind != BY_POINTS) proved = reached ? needed : needed - 1;
    else need = reached ? proved : proved + 1;
    entry = entry_of(key, 0);
    *(reached ? entry->yes : entry->no) = -need;
    entry->best = best;
    return proved;
}

/* A contract between tricks where more points may be worse: the points so far are in the key. */
static int levels_at_trick(const Position *at) {
    uint64_t key = place_key(at) | (uint64_t)(target.id << 7 | at->points) << 32;
    key |= (uint64_t)kind_of(at->took) << 28;
    Entry *entry = entry_of(key, 0);
    if (-1 >= entry->yes[0]) return YES;
    if (-1 <= entry->no[0]) return NO;
    int best = entry->best;
    bool reached = lead(at, &best) >= 1;
    if (gave_up) return NO;
    entry = entry_of(key, 0);
    *(reached ? entry->yes : entry->no) = -1;
    entry->best = best;
    return reached ? YES : NO;
}

static int contract_at_trick(const Position *at) {
    int least = at->points, most = least + at->rest;
    if (!at->tricks) most = least;
    int verdict = contract_verdict(least, most, at->took, at->tricks);
    if (verdict == OPEN && at->tricks == 1 && whole_deal) return last_trick(at);
    if (verdict == OPEN && whole_deal) verdict = sure_verdict(at, &least, &most);
    if (verdict == OPEN) return target.threshold ? threshold_at_trick(at) : levels_at_trick(at);
    if (!target.threshold) return verdict ? YES : NO;
    int need = need_of(at);
    return verdict ? larger(least - at->points, need) : smaller(most - at->points, need - 1);
}

/* What a search by tricks alone says from here. */
static int by_tricks(const Position *at) {
    Position rough = *at;
    rough.next_ahead = (at->next_ahead + TRICK_FIRST / 2) & -TRICK_FIRST;
    rough.far_ahead = (at->far_ahead + TRICK_FIRST / 2) & -TRICK_FIRST;
    rough.view = AGAINST;
    if (at_trick(&rough) >= 1) return true;
    rough.view = FOR;
    return at_trick(&rough) >= 1 ? OPEN : false;
}

/* Whether a position is at least as good for the hero as an entry's bound (`side` 1), or at most as
good (-1). Where the hero wants a tie there is no better and worse, only the very same. */
static bool beyond(const Position *at, const int16_t bound[2], int side) {
    int one = at->next_ahead - bound[0], two = at->far_ahead - bound[1];
    return wants_tie() ? !one && !two : side * one >= 0 && side * two >= 0;
}

/* A table game between tricks. */
static bool table_at_trick(const Position *at) {
    int verdict = table_verdict(at);
    if (verdict != OPEN) return verdict;
    if (at->tricks == 1 && whole_deal) return last_trick(at) >= 1;
    uint64_t key = place_key(at) | (uint64_t)at->view << 28 | (uint64_t)(wanted + 2) << 30;
    uint32_t salt = wants_tie() ? (at->next_ahead & 0x3FF) << 10 | (at->far_ahead & 0x3FF) : 0;
    Entry *entry = entry_of(key, salt);
    if (beyond(at, entry->yes, 1)) return true;
    if (beyond(at, entry->no, -1)) return false;
    int best = entry->best, known = OPEN;
    if (at->view == EXACT && trick_worth == TRICK_FIRST) known = by_tricks(at);
    bool reached = known == OPEN ? lead(at, &best) >= 1 : known;
    if (gave_up) return false;
    entry = entry_of(key, salt);
    int16_t *bound = reached ? entry->yes : entry->no;
    bound[0] = at->next_ahead, bound[1] = at->far_ahead;
    entry->best = best;
    return reached;
}

static int at_trick(const Position *at) {
    if (gave_up) return NO;
    if (!table_game) return contract_at_trick(at);
    return table_at_trick(at) ? YES : NO;
}

/* --- questions of one position, before or after a card of the player to act --- */

typedef struct {
    Position at;
    Trick trick;
    Cards left;
    int turn;
    int card; /* to be laid first, or NO_CARD */
} Root;

static bool reaches(const Root *root) {
    int best = NO_CARD, need = need_of(&root->at);
    if (root->card != NO_CARD)
        return after_card(&root->at, root->left, &root->trick, root->turn, root->card) >= need;
    if (!root->trick.laid && root->at.leader != TALON) return at_trick(&root->at) >= need;
    return choose(&root->at, root->left, &root->trick, root->turn, &best) >= need;
}

static int level_of(int points) { return asked.by_points[points]; }

/* Prepare the question whether a contract comes to at least this target. */
static void ask_level(int least) {
    target.id = least;
    target.none_wins = asked.no_tricks >= least;
    target.all_wins = asked.all_tricks >= least;
    target.need = 0;
    while (target.need <= MOST_POINTS && level_of(target.need) < least) ++target.need;
    target.threshold = true;
    target.wins_below[0] = 0;
    for (int points = 0; points <= MOST_POINTS; ++points) {
        bool wins = level_of(points) >= least;
        if (points > target.need && !wins) target.threshold = false;
        target.wins_below[points + 1] = target.wins_below[points] + wins;
    }
    target.points_matter = !target.threshold || (target.need > 0 && target.need <= MOST_POINTS);
}

static void ask_points(int need) {
    target.none_wins = target.all_wins = false;
    target.threshold = target.points_matter = true;
    target.need = need;
}

static int highest_level(void) {
    int highest = larger(asked.no_tricks, asked.all_tricks);
    for (int points = 0; points <= MOST_POINTS; ++points)
        highest = larger(highest, level_of(points));
    return highest;
}

static bool reaches_level(const Root *root, int least) {
    ask_level(least);
    return reaches(root);
}

/* The level of a contract, searched for from a guess; one below the least asked for stands for all
of these. */
static int stakes_of(const Root *root, int guess) {
    int highest = highest_level(), least = larger(asked.least, 1), found = larger(guess, least - 1);
    if (found >= least && !reaches_level(root, found)) {
        do --found; while (found >= least && !reaches_level(root, found));
        return found;
    }
    while (found < highest && reaches_level(root, found + 1)) ++found;
    return found;
}

/* The declarer's card points, searched for from a guess: steps that grow until the value is
bracketed, then halving. */
static int exact_points(const Root *of, int guess) {
    Root root = *of;
    root.at.took = BOTH_TOOK; /* tricks do not count */
    int low = root.at.points, high = root.at.points + root.at.rest;
    int need = smaller(larger(guess, low + 1), high);
    bool below = false, above = false;
    for (int step = 3; low < high; step *= 2) {
        ask_points(need);
        if (reaches(&root)) low = need, below = true;
        else high = need - 1, above = true;
        if (gave_up) return 0;
        if (below && above) need = (low + high + 1) / 2;
        else need = below ? smaller(high, low + step) : larger(low + 1, high - step);
    }
    return low;
}

static bool pays(const Root *root, int payment) {
    wanted = payment;
    return reaches(root);
}

/* What the hero of a table game is sure to be paid, as a multiple of the stake. */
static int table_stakes(const Root *root, int guess) {
    int found = guess;
    if (found > -2 && !pays(root, found)) {
        do --found; while (found > -2 && !pays(root, found));
        return found;
    }
    while (found < 2 && pays(root, found + 1)) ++found;
    return found;
}

static int stakes_guess, points_guess;

static Row row_of(const Root *root, Cards cards) {
    Row row = {(int32_t)cards, 0, 0};
    if (table_game) {
        row.stakes = stakes_guess = table_stakes(root, stakes_guess);
        return row;
    }
    if (asked.goal & STAKES) row.stakes = stakes_guess = stakes_of(root, stakes_guess);
    if (asked.goal & POINTS) row.points = points_guess = exact_points(root, points_guess);
    return row;
}

static void answer_row(const Root *root, Cards cards) {
    given.row[given.rows] = row_of(root, cards);
    ++given.rows;
}

/* --- tasks --- */

static Root root_of(void) {
    Root root = {0};
    Cards laid = 0;
    int players_laid = asked.laid - asked.talon_led;
    root.left = hands[0] | hands[1] | hands[2];
    for (int i = 0; i < 2; ++i)
        if (asked.talon[i] >= 0) root.left |= bit(asked.talon[i]);
    root.turn = asked.turn;
    root.card = NO_CARD;
    root.at.tricks = asked.tricks_left;
    root.at.leader = asked.talon_led ? TALON : (asked.turn - players_laid + SEATS) % SEATS;
    root.trick = (Trick){.due = SEATS, .holder = NOBODY};
    root.trick.due += asked.talon_led || (table_game && asked.talon[0] >= 0);
    for (int i = 0; i < asked.laid; ++i) {
        int place = (asked.turn - asked.laid + i + SEATS) % SEATS;
        lay(&root.trick, asked.talon_led && i == 0 ? TALON : place, asked.trick[i]);
        laid |= bit(asked.trick[i]);
    }
    root.at.left = root.left;
    root.at.rest = points_of(root.left | laid);
    if (!table_game) {
        root.at.points = asked.points[hero];
        for (int place = 0; place < SEATS; ++place)
            if (asked.tricks[place]) root.at.took |= place == hero ? HERO_TOOK : OTHERS_TOOK;
        return root;
    }
    int score[SEATS];
    for (int place = 0; place < SEATS; ++place)
        score[place] = asked.tricks[place] * trick_worth + asked.points[place] * point_worth;
    root.at.next_ahead = score[next_place(hero)] - score[hero];
    root.at.far_ahead = score[next_place(next_place(hero))] - score[hero];
    return root;
}

static bool is_asked(Cards cards) {
    bool found = !asked.sets;
    for (int i = 0; i < asked.sets && !found; ++i) found = (Cards)asked.set[i] == cards;
    return found;
}

static void each_card(void) {
    Root root = root_of();
    Cards hand = hands[root.turn], legal = hand & root.trick.follow;
    if (!legal) legal = hand;
    Cards in_play = root.left | root.trick.cards;
    bool valued = false; /* whether the last row is that of an equal */
    for (Cards rest = legal; rest && !gave_up; rest &= rest - 1) {
        root.card = strongest(rest);
        if (!has_equal(legal, in_play, root.card, true)) valued = false;
        if (!is_asked(bit(root.card))) continue;
        if (!valued) answer_row(&root, bit(root.card));
        else { /* as good as the card before it in its suit */
            given.row[given.rows] = given.row[given.rows - 1];
            given.row[given.rows++].cards = (int32_t)bit(root.card);
        }
        valued = true;
    }
}

/* How good a discard looks: points made safe and suits emptied, but no trumps and no aces. */
static int discard_promise(Cards hand, Cards pair) {
    int promise = points_of(pair) - 18 * __builtin_popcount(pair & TRUMPS);
    promise -= 22 * __builtin_popcount(pair & ACES & ~TRUMPS);
    for (int ace = TRUMP_CARDS; ace < CARDS; ace += 4) {
        Cards suit = suit_of(ace);
        if (hand & suit && !(hand & ~pair & suit)) promise += 8;
        if (hand & ~pair & bit(ace + 1)) promise -= 6;
    }
    return promise;
}

/* Every two cards of a hand of ten that are asked about, the most promising first. */
static int discards_of(Cards hand, Cards pairs[DISCARDS]) {
    int promises[DISCARDS], count = 0;
    for (Cards one = hand; one; one &= one - 1)
        for (Cards two = one & (one - 1); two; two &= two - 1) {
            Cards pair = bit(strongest(one)) | bit(strongest(two));
            if (!is_asked(pair)) continue;
            int promise = discard_promise(hand, pair), i = count++;
            for (; i && promises[i - 1] < promise; --i)
                promises[i] = promises[i - 1], pairs[i] = pairs[i - 1];
            promises[i] = promise, pairs[i] = pair;
        }
    return count;
}

/* Positions of all discards share the table: who holds a card is the same in all of them. */
static Root after_discard(Cards pair) {
    Root root = root_of();
    root.left &= ~pair;
    root.at.left = root.left;
    root.at.rest -= points_of(pair);
    root.at.points += points_of(pair);
    return root;
}

/* The strongest discard that leaves as good a hand: each card by its strongest equal. */
static Cards strongest_equal(Cards pair, Cards in_play) {
    Cards hand = hands[hero], found = 0;
    for (Cards rest = pair; rest; rest &= rest - 1) {
        int card = strongest(rest);
        while (has_equal(hand & ~found, in_play & ~found, card, true))
            card = weakest(in_play & ~found & suit_of(card) & (bit(card) - 1));
        found |= bit(card);
    }
    return found;
}

/* The first discard that leaves as good a hand as this one. */
static int first_equal(const Cards pairs[DISCARDS], Cards equal[DISCARDS], int number) {
    int same = 0;
    equal[number] = strongest_equal(pairs[number], hands[0] | hands[1] | hands[2]);
    while (equal[same] != equal[number]) ++same;
    return same;
}

static void each_discard(void) {
    Cards pairs[DISCARDS], equal[DISCARDS];
    int count = discards_of(hands[hero], pairs);
    for (int i = 0; i < count && !gave_up; ++i) {
        int same = first_equal(pairs, equal, i);
        if (same < i) {
            given.row[given.rows] = given.row[same];
            given.row[given.rows++].cards = (int32_t)pairs[i];
        } else {
            Root root = after_discard(pairs[i]);
            answer_row(&root, pairs[i]);
        }
    }
}

static void best_discard(void) {
    Cards pairs[DISCARDS], equal[DISCARDS];
    int count = discards_of(hands[hero], pairs), highest = highest_level();
    Row best = {0, asked.least - 1, 0};
    for (int i = 0; i < count && !gave_up && best.stakes < highest; ++i) {
        if (first_equal(pairs, equal, i) < i) continue;
        Root root = after_discard(pairs[i]);
        if (best.stakes >= 0 && !reaches_level(&root, best.stakes + 1)) continue;
        stakes_guess = best.stakes < 0 ? stakes_guess : best.stakes + 1;
        best = (Row){(int32_t)pairs[i], stakes_of(&root, stakes_guess), 0};
    }
    given.row[given.rows++] = best;
}

/* The deal that the table of positions is about. */
static struct {
    Cards hands[SEATS];
    int hero, spare, talon_at[MOST_TRICKS + 2];
    bool table_game;
    int32_t settlement, levels[MOST_POINTS + 3];
} known;

/* Whether this is the known deal, perhaps later: then what was found out holds. Cards in each hand
that will not be played must be as many, for they tell how many tricks are left. */
static bool same_deal(int spare) {
    const int32_t *levels = &asked.no_tricks;
    for (int place = 0; place < SEATS; ++place)
        if (hands[place] & ~known.hands[place]) return false;
    for (int tricks = 0; tricks <= asked.tricks_left; ++tricks)
        if (talon_at[tricks] != known.talon_at[tricks]) return false;
    for (int i = 0; i < MOST_POINTS + 3; ++i)
        if (levels[i] != known.levels[i]) return false;
    return known.hero == hero && known.spare == spare && known.table_game == table_game &&
           known.settlement == asked.settlement;
}

static void begin_deal(int spare) {
    const int32_t *levels = &asked.no_tricks;
    if (same_deal(spare)) return;
    if (known.spare != spare) clear_table();
    begin_number();
    known.hero = hero, known.spare = spare, known.table_game = table_game;
    known.settlement = asked.settlement;
    for (int place = 0; place < SEATS; ++place) known.hands[place] = hands[place];
    for (int tricks = 0; tricks < MOST_TRICKS + 2; ++tricks)
        known.talon_at[tricks] = talon_at[tricks];
    for (int i = 0; i < MOST_POINTS + 3; ++i) known.levels[i] = levels[i];
}

static void begin(void) {
    hero = asked.hero;
    table_game = asked.goal == TABLE;
    for (int place = 0; place < SEATS; ++place) hands[place] = (Cards)asked.hands[place];
    int held = __builtin_popcount(hands[asked.turn]);
    int spare = (held == HAND ? held - 2 : held) - asked.tricks_left;
    whole_deal = spare == 0;
    for (int tricks = 0; tricks < MOST_TRICKS + 2; ++tricks) talon_at[tricks] = NOBODY;
    talon_at[asked.tricks_left] = asked.talon[0];
    if (asked.tricks_left) talon_at[asked.tricks_left - 1] = asked.talon[1];
    bool points_first = asked.settlement == MOST_POINTS_PAYS;
    trick_worth = points_first ? 1 : TRICK_FIRST;
    point_worth = points_first ? POINT_FIRST : 1;
    nodes = 0;
    most_nodes = asked.most_nodes ? (uint32_t)asked.most_nodes : UINT32_MAX;
    gave_up = false;
    stakes_guess = table_game ? 1 : (highest_level() + 1) / 2;
    points_guess = asked.points[hero] + (MOST_POINTS / 2 + 1) * asked.tricks_left / MOST_TRICKS;
    given.rows = 0;
    begin_holders();
    begin_deal(spare);
}

__attribute__((export_name("buffer"))) int32_t *buffer(void) { return &asked.task; }

__attribute__((export_name("answer"))) int32_t *answer(void) { return &given.status; }

__attribute__((export_name("solve"))) void solve(void) {
    begin();
    switch (asked.task) {
        case EACH_CARD: each_card(); break;
        case EACH_DISCARD: each_discard(); break;
        case BEST_DISCARD: best_discard(); break;
        default: {
            Root root = root_of();
            answer_row(&root, 0);
        }
    }
    given.status = gave_up ? GAVE_UP : SOLVED;
    given.nodes = (int32_t)nodes;
}
