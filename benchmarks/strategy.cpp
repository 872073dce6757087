// What pays in Zole: plays deals as the networks of `master` do, and at one decision of each kind also
// every other way, in the same deal and with the same play of all three afterwards.
//
// What differs between two ways is the gain in stakes, and its mean over the deals in which a seat
// knows the same is shown with half of a 95 % interval. A deal counts once in a row.
#include <cstdlib>
#include <map>
#include <string>

#include "../sample_bots/master/search.hpp"

struct Mean {
    long n = 0;
    double sum = 0, squares = 0;

    void add(double x) { ++n, sum += x, squares += x * x; }
    double mean() const { return sum / double(n); }
    double half() const {
        return 1.96 * std::sqrt((squares - sum * mean()) / double(n - 1) / double(n));
    }
};

// A table of means by row and column, which prints itself in Markdown.
class Means {
   public:
    Means(const char* title, const char* corner) : title_(title), corner_(corner) {}

    void add(const std::string& row, const std::string& column, double x) {
        cells_[row][column].add(x);
        columns_[column] = true;
    }
    void print() const {
        std::printf("\n%s\n\n| %s |", title_, corner_);
        for (auto& column : columns_) std::printf(" %s |", column.first.c_str());
        std::printf("\n| --- |");
        for (size_t i = 0; i < columns_.size(); ++i) std::printf(" --- |");
        for (auto& [row, cells] : cells_) {
            std::printf("\n| %s |", row.c_str());
            for (auto& column : columns_) {
                auto found = cells.find(column.first);
                if (found == cells.end() || found->second.n < 100) std::printf(" |");
                else std::printf(" %+.2f ± %.2f (%ld) |", found->second.mean(), found->second.half(), found->second.n);
            }
        }
        std::printf("\n");
    }

   private:
    const char *title_, *corner_;
    std::map<std::string, std::map<std::string, Mean>> cells_;
    std::map<std::string, bool> columns_;
};

const Set QUEENS = 0xF, ACES = bit(14) | bit(18) | bit(22), FAT = ACES | ACES << 1;

std::vector<Net> nets;

struct Hands {
    Turned turned[3];
};

int chosen(const Deal& deal, const Hands& hands) {
    Choice choice;
    list(deal, choice);
    if (choice.size == 1) return choice.actions[0];
    Judgement how;
    judge(&nets[0], deal, hands.turned[deal.seat], choice, how);
    return choice.best();
}

Stakes played(Deal deal, const Hands& hands) {
    while (deal.phase != Deal::Over) deal.act(chosen(deal, hands));
    return deal.paid();
}

// What a seat gets if it does this now, and all go on as they would.
double after(Deal deal, int action, const Hands& hands) {
    int me = deal.seat;
    deal.act(action);
    return played(deal, hands)[size_t(me)];
}

std::string up_to(int value, int most) { return std::to_string(std::min(value, most)) + (value >= most ? "+" : ""); }

// The card of a set that the seat on turn thinks most of, or -1.
int best_of(const Deal& deal, const Hands& hands, Set cards) {
    Choice choice;
    for (Set rest = cards & deal.cards(); rest; rest &= rest - 1) choice.offer(first(rest));
    if (!choice.size) return -1;
    Judgement how;
    judge(&nets[0], deal, hands.turned[deal.seat], choice, how);
    return choice.best();
}

class Lore {
   public:
    void play(Random& random) {
        Deal deal;
        Rules rules;
        deal.rules = &rules;
        int cards[26];
        for (int i = 0; i < 26; ++i) cards[i] = i;
        for (int i = 25; i; --i) std::swap(cards[i], cards[random.below(i + 1)]);
        for (int i = 0; i < 24; ++i) deal.hands[i / 8] |= bit(cards[i]);
        deal.talon[0] = cards[24], deal.talon[1] = cards[25];
        std::copy(deal.hands, deal.hands + 3, deal.dealt);
        Hands hands{{Turned(deal.dealt[0]), Turned(deal.dealt[1]), Turned(deal.dealt[2])}};
        const int asked = random.below(3);
        lead_seen = smear_seen = second_seen = false;
        while (deal.phase != Deal::Over) {
            int action = chosen(deal, hands);
            if (deal.phase == Deal::Bidding && deal.seat == asked) bid(deal, hands);
            if (deal.phase == Deal::Discarding && !deal.discards) discard(deal, hands);
            if (deal.phase == Deal::Playing && deal.contract != Table) {
                if (!deal.trick.size && !lead_seen) lead(deal, hands, action);
                if (deal.seat != deal.declarer) defend(deal, hands);
            }
            deal.act(action);
        }
        const int who = deal.declarer;
        if (who >= 0) results.add(deal.contract == Solo ? "solo" : "talon taken", "declarer gets", deal.paid()[size_t(who)]);
    }

    void print() const {
        for (const Means* each : {&results, &talon, &queens, &seats, &solo, &solo_queens, &discards, &leads, &skat, &smears, &seconds})
            each->print();
    }

   private:
    Means results{"What is played, and what it pays", "game"},
        talon{"Taking the talon, beside passing", "trumps"}, queens{"The same with no plain ace", "trumps"},
        seats{"The same by seat, with one plain ace", "trumps"}, solo{"Solo, beside taking the talon", "trumps"},
        solo_queens{"The same by queens", "trumps and plain aces"},
        discards{"Two cards laid aside, beside what the networks lay aside", "cards"},
        leads{"The first lead, beside the networks' own", "lead"},
        skat{"A defender leads the shortest plain suit, beside the longest", "declarer"},
        smears{"A plain ace or ten put on the partner's trick, beside the least card", "declarer"},
        seconds{"A defender takes a trick that the declarer led, beside the least card", "led"};
    bool lead_seen = false, smear_seen = false, second_seen = false;

    void bid(const Deal& deal, const Hands& hands) {
        Set hand = deal.hands[deal.seat];
        int trumps = count(hand & TRUMPS), aces = count(hand & ACES);
        double passed = after(deal, Pass, hands), taken = after(deal, BidOrdinary, hands);
        std::string row = std::to_string(trumps);
        talon.add(row, "plain aces: " + up_to(aces, 2), taken - passed);
        if (!aces) queens.add(row, "queens: " + up_to(count(hand & QUEENS), 3), taken - passed);
        const char* const names[] = {"1 forehand", "2 middlehand", "3 rearhand"};
        if (aces == 1) seats.add(row, names[deal.seat], taken - passed);
        if (trumps < 4) return;
        double alone = after(deal, BidSolo, hands) - taken;
        solo.add(row, "plain aces: " + up_to(aces, 2), alone);
        if ((trumps == 6 && aces) || (trumps == 7 && aces < 2))
            solo_queens.add(row + " and " + up_to(aces, 2), "queens: " + up_to(count(hand & QUEENS), 4), alone);
    }

    void discard(const Deal& deal, const Hands& hands) {
        const int me = deal.declarer;
        const double own = played(deal, hands)[size_t(me)];
        Set hand = deal.hands[me], free = hand & ~TRUMPS & ~ACES;
        auto tried = [&](const char* what, Set pair) {
            if (count(pair) != 2) return;
            Deal next = deal;
            next.act(first(pair)), next.act(last(pair));
            discards.add(what, "gain", played(next, hands)[size_t(me)] - own);
        };
        auto most = [&](Set of, int sign) {  // the two with most points, or with fewest
            Set pair = 0;
            for (int i = 0; i < 2 && of & ~pair; ++i) {
                int best = -1;
                for (Set rest = of & ~pair; rest; rest &= rest - 1)
                    if (best < 0 || sign * POINTS[first(rest)] > sign * POINTS[best]) best = first(rest);
                pair |= bit(best);
            }
            return pair;
        };
        tried("most points, no aces or trumps", most(free, 1));
        tried("fewest points, no aces or trumps", most(free, -1));
        Set empties = 0;
        for (int suit = 1; suit < 4; ++suit) {
            Set own_suit = hand & SUITS[suit];
            if (!(own_suit & ACES) && count(own_suit) == 2 && points_of(own_suit) >= points_of(empties)) empties = own_suit;
        }
        tried("a suit of two without its ace", empties);
        Set lone = 0;
        for (int suit = 1; suit < 4; ++suit)
            if (!(hand & SUITS[suit] & ACES) && count(hand & SUITS[suit]) == 1) lone |= hand & SUITS[suit];
        tried("two lone cards, no aces", lone);
        tried("the two lowest trumps", count(hand & TRUMPS) > 6 ? most(hand & TRUMPS & 0x3800, -1) : 0);
    }

    void lead(const Deal& deal, const Hands& hands, int action) {
        lead_seen = true;
        const Set hand = deal.hands[deal.seat], plain = hand & ~TRUMPS;
        const double own = after(deal, action, hands);
        const std::string who = deal.seat == deal.declarer ? "1 the declarer leads"
                              : next_seat(deal.seat) == deal.declarer ? "2 a defender, the declarer is next"
                                                                      : "3 a defender, the declarer is last";
        auto gain = [&](Set cards) { int card = best_of(deal, hands, cards); return card < 0 ? NAN : after(deal, card, hands) - own; };
        auto tried = [&](const char* what, Set cards) {
            double found = gain(cards);
            if (!std::isnan(found)) leads.add(what, who, found);
        };
        Set longest = 0, shortest = 0;
        for (int suit = 1; suit < 4; ++suit) {
            Set cards = plain & SUITS[suit];
            if (!cards) continue;
            if (count(cards) > count(longest)) longest = cards;
            if (!shortest || count(cards) < count(shortest)) shortest = cards;
        }
        tried("queen", hand & QUEENS);
        tried("jack", hand & 0xF0);
        tried("diamond", hand & TRUMPS & ~0xFFu);
        tried("plain ace", plain & ACES);
        tried("plain ten", plain & ACES << 1);
        tried("plain king or nine", plain & ~FAT);
        if (deal.seat == deal.declarer || count(longest) == count(shortest)) return;
        double shorter = gain(shortest), longer = gain(longest);
        skat.add(next_seat(deal.seat) == deal.declarer ? "next" : "last", "short beside long", shorter - longer);
    }

    void defend(const Deal& deal, const Hands& hands) {
        const Trick& trick = deal.trick;
        if (!trick.size) return;
        const Set legal = deal.cards();
        const int partner = 3 - deal.seat - deal.declarer;
        int least = -1;
        for (Set rest = legal; rest; rest &= rest - 1)
            if (least < 0 || POINTS[first(rest)] < POINTS[least] || (POINTS[first(rest)] == POINTS[least] && first(rest) > least))
                least = first(rest);
        if (trick.holder == partner && !smear_seen && (legal & FAT) && !(bit(least) & FAT)) {
            int fat = best_of(deal, hands, legal & FAT);
            smear_seen = true;
            bool last = trick.size == 2;
            const char* by = trick.best < 8 ? "queen or jack" : trick.best < 14 ? "diamond" : "plain card";
            smears.add(last ? "has played" : "comes after", std::string("partner's ") + by, after(deal, fat, hands) - after(deal, least, hands));
        }
        if (trick.size == 1 && trick.holder == deal.declarer && !second_seen) {
            Set over = 0;
            for (Set rest = legal; rest; rest &= rest - 1)
                if (trick.beaten_by(first(rest))) over |= bit(first(rest));
            if (!over || trick.beaten_by(least)) return;
            second_seen = true;
            const char* by = trick.best < 4 ? "queen" : trick.best < 8 ? "jack" : trick.best < 14 ? "diamond" : "plain card";
            seconds.add(by, "gain", after(deal, best_of(deal, hands, over), hands) - after(deal, least, hands));
        }
    }
};

int main(int argc, char** argv) {
    if (argc != 4 || !load(nets, argv[1])) return 2;
    Random random{uint64_t(std::atoll(argv[3]))};
    Lore lore;
    const long deals = std::atol(argv[2]);
    for (long i = 0; i < deals; ++i) lore.play(random);
    lore.print();
}
