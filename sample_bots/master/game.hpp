// Cards, the open-hand solver for a declarer against two, and the table game.
//
// A card is a number, 0 to 25: the trumps from the strongest (QC) to the weakest (7D), then
// A T K 9 of clubs, spades, hearts. So within a suit a lower number is the stronger card.
// A set of cards is a number of 26 bits. Seats are places in the order of play:
// 0 forehand, 1 middlehand, 2 rearhand. 3 stands for the talon, where the rules let it play.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

using Set = uint32_t;

const char* const NAMES[26] = {"QC", "QS", "QH", "QD", "JC", "JS", "JH", "JD", "AD",
                               "TD", "KD", "9D", "8D", "7D", "AC", "TC", "KC", "9C",
                               "AS", "TS", "KS", "9S", "AH", "TH", "KH", "9H"};
const int POINTS[26] = {3, 3, 3, 3, 2, 2, 2, 2, 11, 10, 4, 0,  0,
                        0, 11, 10, 4, 0, 11, 10, 4, 0, 11, 10, 4, 0};
const int NO_POINTS[26] = {};
const Set TRUMPS = 0x3FFF, ALL = 0x3FFFFFF;
const Set SUITS[4] = {TRUMPS, 0xFu << 14, 0xFu << 18, 0xFu << 22};

inline Set bit(int card) { return Set(1) << card; }
inline int suit_of(int card) { return card < 14 ? 0 : 1 + (card - 14) / 4; }
inline int first(Set set) { return __builtin_ctz(set); }       // the strongest
inline int last(Set set) { return 31 - __builtin_clz(set); }   // the weakest
inline int count(Set set) { return __builtin_popcount(set); }
inline int next_seat(int seat) { return seat == 2 ? 0 : seat + 1; }

inline int card_named(const std::string& name) {
    for (int card = 0; card < 26; ++card)
        if (name == NAMES[card]) return card;
    return -1;
}

inline int points_of(Set set) {
    int sum = 0;
    for (; set; set &= set - 1) sum += POINTS[first(set)];
    return sum;
}

inline Set legal_cards(Set hand, int led_suit) {
    Set follow = led_suit < 0 ? 0 : hand & SUITS[led_suit];
    return follow ? follow : hand;
}

// A trick that is being played.
struct Trick {
    int size = 0;
    int led_suit = -1;
    int best = -1;    // the card that holds it
    int holder = -1;  // and whose it is
    int points = 0;
    Set cards = 0;

    bool beaten_by(int card) const {
        if (!size) return true;
        return suit_of(card) == suit_of(best) ? card < best : card < 14;
    }
    void add(int seat, int card, const int* worth) {
        if (beaten_by(card)) best = card, holder = seat;
        if (!size++) led_suit = suit_of(card);
        points += worth[card];
        cards |= bit(card);
    }
};

// Of neighbours in one hand that are worth the same, one is enough: leaves out every card whose
// next stronger card still in play is in the same hand, too.
inline Set distinct(Set cards, Set in_play, const int* worth) {
    Set kept = 0;
    for (Set rest = cards; rest; rest &= rest - 1) {
        int card = first(rest);
        Set stronger = in_play & SUITS[suit_of(card)] & (bit(card) - 1);
        if (stronger) {
            int neighbour = last(stronger);
            if ((cards & bit(neighbour)) && worth[neighbour] == worth[card]) continue;
        }
        kept |= bit(card);
    }
    return kept;
}

// Solves a deal with open hands: what the declarer still takes when both sides play perfectly.
//
// A position between tricks is told by the cards left and who leads, because who holds which card
// is fixed for a deal. For each such position the table keeps two bounds of what is still taken.
class Solver {
   public:
    uint64_t nodes = 0;  // work done so far; the bot's clock

    Solver() : table(TABLE) {}

    // A new deal. What counts is `trick_worth` for each trick and `worth` for its cards.
    void start(const Set hands_[3], int declarer_, int trick_worth_, const int* worth_) {
        std::copy(hands_, hands_ + 3, hands);
        declarer = declarer_;
        trick_worth = trick_worth_;
        worth = worth_;
        ++generation;
    }

    // What the declarer still takes, the trick on the table included. `guess` only saves time.
    int value(Set left, const Trick& trick, int seat, int tricks, int guess) {
        int low = 0, high = trick_worth * tricks + trick.points;
        for (Set rest = left; rest; rest &= rest - 1) high += worth[first(rest)];
        const int most = high;
        int need = std::clamp(guess, 1, std::max(high, 1));
        // Steps of growing size away from the guess until it is bracketed, then halving.
        for (int step = 3; low < high; step *= 2) {
            if (reaches_from(left, trick, seat, tricks, need, most)) low = need;
            else high = need - 1;
            if (high == most) need = std::min(high, low + step);
            else if (low == 0) need = std::max(1, high - step);
            else need = (low + high + 1) / 2;
        }
        return low;
    }

    // Does the declarer still take at least `need`?
    bool reaches(Set left, const Trick& trick, int seat, int tricks, int need) {
        int most = trick_worth * tricks + trick.points;
        for (Set rest = left; rest; rest &= rest - 1) most += worth[first(rest)];
        return reaches_from(left, trick, seat, tricks, need, most);
    }

   private:
    static const int TABLE = 1 << 17;
    struct Entry {
        uint32_t key = 0, generation = 0;
        uint8_t low = 0, high = 0, best = 31;
    };
    std::vector<Entry> table;
    uint32_t generation = 0;
    Set hands[3] = {};
    int declarer = 0, trick_worth = 0;
    const int* worth = POINTS;

    bool reaches_from(Set left, const Trick& trick, int seat, int tricks, int need, int most) {
        if (!trick.size) return at_trick(left, seat, tricks, need, most);
        int best = 31;
        return in_trick(left, trick, seat, tricks, need, most, best);
    }

    // Between tricks. `most` is all that is left to be taken.
    bool at_trick(Set left, int leader, int tricks, int need, int most) {
        if (need <= 0) return true;
        if (need > most || tricks == 0) return false;
        uint32_t key = left | uint32_t(leader) << 26;
        Entry& entry = table[(key * 2654435761u) >> 15];
        bool known = entry.key == key && entry.generation == generation;
        if (known) {
            if (need <= entry.low) return true;
            if (need > entry.high) return false;
        }
        int best = known ? entry.best : 31;
        bool reached = in_trick(left, Trick(), leader, tricks, need, most, best);
        if (entry.key != key || entry.generation != generation)
            entry = Entry{key, generation, 0, uint8_t(most), 31};
        if (reached) entry.low = std::max<int>(entry.low, need);
        else entry.high = std::min<int>(entry.high, need - 1);
        entry.best = uint8_t(best);
        return reached;
    }

    // Within a trick: the seat's cards, best first, until one of them settles the question.
    bool in_trick(Set left, const Trick& trick, int seat, int tricks, int need, int most, int& best) {
        ++nodes;
        if (trick.size == 3) return after_trick(left, trick, tricks, need, most);
        Set cards = legal_cards(hands[seat] & left, trick.led_suit);
        cards = distinct(cards, left | trick.cards, worth);
        bool mine = seat == declarer;
        int order[10], scores[10], n = 0;
        for (; cards; cards &= cards - 1) {
            int card = first(cards), score = card == best ? 1000 : promise(trick, seat, card, left), i = n++;
            for (; i && scores[i - 1] < score; --i) scores[i] = scores[i - 1], order[i] = order[i - 1];
            scores[i] = score, order[i] = card;
        }
        for (int i = 0; i < n; ++i) {
            Trick next = trick;
            next.add(seat, order[i], worth);
            int unused = 31;
            if (in_trick(left & ~bit(order[i]), next, next_seat(seat), tricks, need, most, unused) == mine) {
                best = order[i];
                return mine;
            }
        }
        return !mine;
    }

    bool after_trick(Set left, const Trick& trick, int tricks, int need, int most) {
        int taken = trick_worth + trick.points;
        if (trick.holder == declarer) need -= taken;
        return at_trick(left, trick.holder, tricks - 1, need, most - taken);
    }

    // How promising a card looks: only the order of search depends on it.
    int promise(const Trick& trick, int seat, int card, Set left) const {
        int points = POINTS[card];
        if (!trick.size) {
            Set others = left & ~hands[seat] & SUITS[suit_of(card)];
            bool high = !(others & (bit(card) - 1));
            if (card < 14) return high ? 20 : 8 - points;
            return high ? (others ? 30 : 10) + points : -points;
        }
        bool last_hand = trick.size == 2;
        bool wins = trick.beaten_by(card);
        bool friendly = seat != declarer && trick.holder != declarer;
        if (wins && !friendly) {
            if (last_hand) return 40 + trick.points + points - (card < 8 ? 12 - card : 0);
            Set others = left & ~hands[seat] & SUITS[suit_of(card)];
            return ((others & (bit(card) - 1)) ? 5 - points : 30 + points) + (card < 8 ? card - 8 : 0);
        }
        if (friendly && (last_hand || seat == declarer)) return wins ? points + 5 : points + 8;
        return friendly ? points / 2 : -points - (card < 8 ? 6 : 0);
    }
};

// How a table game is paid.
struct TableRules {
    std::string settlement = "most_tricks_pays";
    bool talon_plays = false;  // a talon card in each of the first two tricks
    double stake = 2;
};

using Stakes = std::array<double, 3>;

// A table game with open hands: each for itself. Cards are played by rule of thumb, and the last
// tricks by a search in which everybody does the best for itself.
class TableGame {
   public:
    TableRules rules;
    Set hands[3] = {};
    int talon[2] = {-1, -1};
    int tricks[4] = {}, points[4] = {};
    int done = 0, total = 8;  // tricks
    int seat = 0;             // who is next
    bool talon_led = false;
    Trick trick;

    void play(int card) {
        hands[seat] &= ~bit(card);
        trick.add(seat, card, POINTS);
        seat = next_seat(seat);
        if (trick.size < (talon_led ? 4 : 3)) return;
        if (!talon_led && talon_due()) trick.add(3, talon[done], POINTS);
        take_trick();
    }

    // The stakes at the end, by place.
    Stakes finish() const {
        TableGame game = *this;
        while (game.done < game.total) {
            if (game.total - game.done <= 3 && !game.trick.size) return game.search();
            game.play(game.thumb());
        }
        return game.paid();
    }

    // Everybody does the best for itself; all cards are tried.
    Stakes search() const {
        if (done >= total) return paid();
        Set in_play = hands[0] | hands[1] | hands[2] | trick.cards;
        Set cards = distinct(legal_cards(hands[seat], trick.led_suit), in_play, POINTS);
        Stakes best{};
        for (bool any = false; cards; cards &= cards - 1, any = true) {
            TableGame next = *this;
            next.play(first(cards));
            Stakes stakes = next.search();
            if (!any || stakes[seat] > best[seat]) best = stakes;
        }
        return best;
    }

   private:
    bool talon_due() const { return rules.talon_plays && done < 2 && talon[done] >= 0; }

    void take_trick() {
        ++tricks[trick.holder];
        points[trick.holder] += trick.points;
        seat = trick.holder == 3 ? 0 : trick.holder;
        talon_led = trick.holder == 3;
        trick = Trick();
        ++done;
        talon_led = talon_led && talon_due();
        if (talon_led) trick.add(3, talon[done], POINTS);
    }

    // Leads low, follows as high as it can without taking the trick.
    int thumb() const {
        Set legal = legal_cards(hands[seat], trick.led_suit);
        if (!trick.size) return low_lead(legal);
        Set losing = 0;
        for (Set rest = legal; rest; rest &= rest - 1)
            if (!trick.beaten_by(first(rest))) losing |= bit(first(rest));
        if (losing) return riskiest(losing);
        bool last_hand = trick.size == (talon_led ? 3 : 2);
        return last_hand ? first(legal) : last(legal);
    }

    static int low_lead(Set legal) {
        Set low_trumps = legal & TRUMPS & ~0xFFu;
        return low_trumps ? last(low_trumps) : last(legal);
    }

    // High trumps go first, then the high cards of the plain suits.
    static int riskiest(Set cards) {
        if (cards & TRUMPS) return first(cards);
        int best = first(cards);
        for (Set rest = cards; rest; rest &= rest - 1)
            if (POINTS[first(rest)] > POINTS[best]) best = first(rest);
        return best;
    }

    Stakes paid() const {
        int rank[3];
        for (int i = 0; i < 3; ++i)
            rank[i] = rules.settlement == "most_points_pays" ? points[i] * 10 + tricks[i]
                                                             : tricks[i] * 1000 + points[i];
        bool fewest = rules.settlement == "fewest_tricks_collects";
        int edge = fewest ? *std::min_element(rank, rank + 3) : *std::max_element(rank, rank + 3);
        Stakes stakes{};
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j)  // who is at the edge settles with each who is not
                if ((rank[i] == edge) != (rank[j] == edge))
                    stakes[i] += (rank[i] == edge) == fewest ? rules.stake : -rules.stake;
            stakes[i] -= 1e-6 * rank[i];  // among equals as few tricks as can be
        }
        return stakes;
    }
};
