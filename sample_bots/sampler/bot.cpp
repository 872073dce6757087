// Sampler: a Zole bot that deals the hidden cards at random, as they may lie after all it has
// seen, solves each such deal with open hands, and plays what pays best on the average.
//
// bot.cpp has the messages, what is known of a deal, and the decisions; game.hpp the cards and
// the solvers; json.hpp a reader of JSON. Usage: ./bot [level 1..4]
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <iostream>
#include <map>

#include "game.hpp"
#include "json.hpp"

// --- settings ---

struct Level {
    int play_worlds, bid_worlds, table_worlds;
    uint64_t nodes;  // no new world is begun after so much work,
    double brake_s;  // or, in an emergency, so many seconds
};
const Level LEVELS[4] = {{6, 8, 20, 500000, 0.5},
                         {30, 30, 100, 2000000, 0.5},
                         {60, 60, 300, 6000000, 2},
                         {150, 150, 800, 20000000, 8}};

const double POINT_WORTH = 0.008;       // of a card point, in stakes: breaks ties, and hedges
const int EXACT_TRICKS = 5;            // so near the end, points are counted exactly
const double PLAYS = 6.6, SOLOS = 9.4;  // from which worth of a hand people usually bid
const double BID_DOUBT = 0.6;           // how vague that is
const double DISCARD_DOUBT = 4;         // how vague we are on what others discard
const double BID_MARGIN = -1.0, SOLO_MARGIN = 0.0;  // bid if it is better by so much

// --- chance ---

struct Random {
    uint64_t state = 0;
    uint64_t next() {  // splitmix64
        uint64_t z = state += 0x9E3779B97F4A7C15u;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        return z ^ z >> 31;
    }
    double unit() { return double(next() >> 11) / 9007199254740992.0; }
    int below(int n) { return int(next() % uint64_t(n)); }
};

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// --- what a hand is worth, by rule of thumb ---

// In about tricks, to a declarer.
double hand_worth(Set hand) {
    double worth = 0.75 * count(hand & TRUMPS) + 0.8 * count(hand & 0xF) +
                   0.4 * count(hand & 0xF0) + 0.2 * count(hand & bit(8)) + 0.1 * count(hand & bit(9));
    for (int suit = 1; suit < 4; ++suit) {
        Set cards = hand & SUITS[suit];
        int ace = 10 + 4 * suit;
        if (!cards) worth += 0.6;
        else if (cards & bit(ace)) worth += 1.1 - 0.15 * (count(cards) - 1);
        else if ((cards & bit(ace + 1)) && count(cards) > 1) worth += 0.2;
    }
    return worth;
}

// How good a discard looks: points put into safety and suits emptied, but no trumps and no aces.
double discard_worth(Set hand, Set pair) {
    Set left = hand & ~pair;
    double worth = points_of(pair) - 18 * count(pair & TRUMPS);
    for (int suit = 1; suit < 4; ++suit) {
        int ace = 10 + 4 * suit;
        if (pair & bit(ace)) worth -= 22;
        if ((hand & SUITS[suit]) && !(left & SUITS[suit])) worth += 8;
        if (left & bit(ace + 1)) worth -= 6;
    }
    return worth;
}

std::vector<Set> pairs_of(Set cards) {
    std::vector<Set> pairs;
    for (Set one = cards; one; one &= one - 1)
        for (Set two = one & (one - 1); two; two &= two - 1)
            pairs.push_back(bit(first(one)) | bit(first(two)));
    return pairs;
}

// The pairs of a hand of ten that look best to discard, best first.
std::vector<Set> best_discards(Set hand, size_t most) {
    std::vector<std::pair<double, Set>> rated;
    for (Set pair : pairs_of(hand)) rated.push_back({-discard_worth(hand, pair), pair});
    std::sort(rated.begin(), rated.end());
    std::vector<Set> best;
    for (size_t i = 0; i < rated.size() && i < most; ++i) best.push_back(rated[i].second);
    return best;
}

// --- the rules of this match ---

struct Rules {
    std::map<std::string, std::vector<double>> rows;  // stakes by contract and level
    std::vector<double> small_solo = {6, -7};
    int tricks = 8;
    int opponents = 2;  // who pay or are paid by the declarer
    bool talon_after_bid = false;
    std::string all_pass = "table";
    TableRules table;

    void read(const Json& json) {
        rows["ordinary"] = {3, 2, 1, -2, -3, -4};
        rows["solo"] = {6, 5, 4, -5, -6, -7};
        rows["blind"] = {9, 8, 7, -8, -9, -10};
        for (auto& row : rows) numbers(json["scoring"][row.first], row.second);
        numbers(json["scoring"]["small_solo"], small_solo);
        tricks = json["play"]["tricks"].integer(8);
        if (json["sitout"]["scoring"].text == "as_opponent") opponents = json["players"].integer(3) - 1;
        talon_after_bid = json["auction"]["talon_decision"].text == "after_bid";
        if (!json["all_pass"].text.empty()) all_pass = json["all_pass"].text;
        if (!json["table"]["settlement"].text.empty()) table.settlement = json["table"]["settlement"].text;
        table.talon_plays = json["table"]["talon"].text == "first_two_tricks";
        table.stake = json["table"]["stake"].integer(2);
    }

   private:
    static void numbers(const Json& json, std::vector<double>& into) {
        if (json.items.size() != into.size()) return;
        for (size_t i = 0; i < into.size(); ++i) into[i] = json.items[i].number;
    }
};

// --- what is known of the deal in progress ---

struct Placed {
    int seat, card;
};

struct Deal {
    int active[3] = {0, 1, 2};  // whose places are 0, 1, 2
    int me = 0;
    std::vector<std::pair<int, std::string>> bids;  // by place
    int declarer = -1;
    std::string contract;
    Set played[4] = {};  // by place, and by the talon
    Set lacks[3] = {};   // suits in which a place has shown a void
    Set discards = 0;    // my own
    std::vector<Placed> trick;
    int tricks = 0, won[4] = {}, points[4] = {};

    int place(const Json& seat) const {
        for (int i = 0; i < 3; ++i)
            if (seat.kind == Json::Number && active[i] == int(seat.number)) return i;
        return 3;
    }

    void learn(const Json& event, int seat) {
        const std::string& what = event["event"].text;
        if (what == "deal") begin(event, seat);
        else if (what == "bid") bids.push_back({place(event["seat"]), event["bid"].text});
        else if (what == "blind" && event["blind"].truth()) bids.push_back({place(event["seat"]), "blind"});
        else if (what == "contract") {
            contract = event["contract"].text;
            declarer = event["declarer"].is_null() ? -1 : place(event["declarer"]);
        } else if (what == "card") see_card(place(event["seat"]), card_named(event["card"].text));
        else if (what == "trick") {
            int winner = place(event["winner"]);
            ++tricks, ++won[winner], points[winner] += event["points"].integer(0);
            trick.clear();
        }
    }

    Set seen() const { return played[0] | played[1] | played[2] | played[3]; }
    int cards_left(int who) const { return 8 - count(played[who]); }

    Trick trick_now(const int* worth) const {
        Trick now;
        for (const Placed& placed : trick) now.add(placed.seat, placed.card, worth);
        return now;
    }

   private:
    void begin(const Json& event, int seat) {
        *this = Deal();
        for (size_t i = 0; i < 3 && i < event["active"].items.size(); ++i)
            active[i] = event["active"].items[i].integer(0);
        for (int i = 0; i < 3; ++i)
            if (active[i] == seat) me = i;
    }

    void see_card(int who, int card) {
        if (card < 0) return;
        if (who < 3 && !trick.empty()) {
            int led = suit_of(trick[0].card);
            if (suit_of(card) != led) lacks[who] |= SUITS[led];
        }
        played[who] |= bit(card);
        trick.push_back({who, card});
    }
};

// --- the hidden cards ---

// One way in which the cards may lie: the hands now, and what is in nobody's hand.
struct World {
    Set hands[3] = {};
    Set aside = 0;  // the talon, or the declarer's discards
    double weight = 1;
};

class Dealer {
   public:
    Dealer(const Deal& deal_, Set hand_, Random& random_) : deal(deal_), hand(hand_), random(random_) {}

    // Worlds as likely as their weights say: many are drawn, and `wanted` picked from them.
    std::vector<World> worlds(int wanted) {
        std::map<std::array<Set, 4>, World> drawn;
        double total = 0;
        for (int i = 0; i < 12 * wanted; ++i) {
            World world;
            if (!draw(world)) continue;
            total += world.weight;
            auto place = drawn.insert({{world.hands[0], world.hands[1], world.hands[2], world.aside}, world});
            if (!place.second) place.first->second.weight += world.weight;
        }
        std::vector<World> picked;
        double step = total / wanted, next = step * random.unit(), sum = 0;
        for (auto& each : drawn) {
            World world = each.second;
            sum += world.weight;
            world.weight = 0;
            for (; next < sum && step > 0; next += step) ++world.weight;
            if (world.weight > 0) picked.push_back(world);
        }
        for (size_t i = picked.size(); i > 1; --i) std::swap(picked[i - 1], picked[random.below(int(i))]);
        return picked;
    }

   private:
    const Deal& deal;
    Set hand;
    Random& random;

    // Deals the unseen cards at random where the voids allow, and weighs the result: more for how
    // rarely this way of dealing comes to it, more for what fits the bids and discards.
    bool draw(World& world) {
        Set unseen = ALL & ~hand & ~deal.seen() & ~deal.discards;
        Set piles[4] = {};
        int room[4];
        for (int i = 0; i < 3; ++i) room[i] = i == deal.me ? 0 : deal.cards_left(i);
        room[3] = count(unseen) - room[0] - room[1] - room[2];
        if (room[3] < 0) return false;
        // The cards with the fewest places to go are dealt first, or there is soon no room for them.
        for (int takers = 1; takers <= 3; ++takers)
            for (Set rest = unseen; rest; rest &= rest - 1) {
                int card = first(rest), open = 0, sum = 0;
                bool may[4];
                for (int i = 0; i < 4; ++i) {
                    may[i] = i != deal.me && (i == 3 || !(deal.lacks[i] & bit(card)));
                    open += may[i];
                }
                if (open != takers) continue;
                for (int i = 0; i < 4; ++i) sum += may[i] ? room[i] : 0;
                if (!sum) return false;
                int drawn = random.below(sum), pile = 0;
                while (!may[pile] || drawn >= room[pile]) drawn -= may[pile] ? room[pile] : 0, ++pile;
                world.weight *= double(sum) / room[pile];
                --room[pile];
                piles[pile] |= bit(card);
            }
        for (int i = 0; i < 3; ++i) world.hands[i] = i == deal.me ? hand : piles[i];
        world.aside = piles[3];
        if (hidden_discards()) guess_discards(world);
        for (int i = 0; i < 3; ++i)
            if (i != deal.me) world.weight *= bidding(i, world);
        return true;
    }

    bool hidden_discards() const { return deal.contract == "ordinary" && deal.declarer != deal.me; }

    // The declarer's hidden cards are in its hand or discarded: draw anew which, as it would choose.
    void guess_discards(World& world) {
        int who = deal.declarer;
        Set hidden = world.hands[who] | world.aside, ten = hidden | deal.played[who];
        double chances[45], sum = 0, fitting = 0;
        int n = 0;
        Set pairs[45];
        for (Set one = ten; one; one &= one - 1)
            for (Set two = one & (one - 1); two; two &= two - 1) {
                Set pair = bit(first(one)) | bit(first(two));
                double chance = std::exp(discard_worth(ten, pair) / DISCARD_DOUBT);
                sum += chance;
                bool fits = !(pair & ~hidden) && !(hidden & ~pair & deal.lacks[who]);
                if (!fits) continue;
                fitting += chance;
                chances[n] = chance;
                pairs[n++] = pair;
            }
        if (!n) return;
        world.weight *= fitting / sum / n;
        double drawn = random.unit() * fitting;
        int i = 0;
        while (i + 1 < n && drawn >= chances[i]) drawn -= chances[i++];
        world.aside = pairs[i];
        world.hands[who] = hidden & ~pairs[i];
    }

    // How likely a place would have bid as it did with these cards.
    double bidding(int who, const World& world) {
        Set dealt = world.hands[who] | deal.played[who];
        if (hidden_discards() && who == deal.declarer) {
            dealt |= world.aside;  // any two of the ten may have been the talon
            for (int i = 0; i < 2; ++i) {
                Set rest = dealt;
                for (int skip = random.below(count(dealt)); skip; --skip) rest &= rest - 1;
                dealt &= ~bit(first(rest));
            }
        }
        double worth = hand_worth(dealt);
        double plays = logistic((worth - PLAYS) / BID_DOUBT), solos = logistic((worth - SOLOS) / BID_DOUBT);
        bool open = false;  // after another's bid, a pass says little
        for (auto& bid : deal.bids) {
            if (bid.first == who) {
                if (bid.second == "pass") return open ? 1 : std::max(1 - plays, 0.01);
                if (bid.second == "ordinary") return std::max(plays * (1 - solos), 0.01);
                if (bid.second == "solo") return std::max(solos, 0.01);
                return 1;
            }
            open = open || bid.second != "pass";
        }
        return 1;
    }
};

// --- decisions ---

class Player {
   public:
    explicit Player(const Level& level_) : level(level_) {}

    void hello(const Json& message) {
        rules.read(message["rules"]);
        random.state = uint64_t(message["seed"].number);
    }

    void learn(const Json& message) {
        for (const Json& event : message["events"].items) deal.learn(event, message["seat"].integer(0));
    }

    std::string bid(const Json& message) {
        Set hand = hand_of(message);
        const Json& legal = message["legal"];
        // In a ranked auction somebody may play already; to defend is then good enough.
        for (auto& each : deal.bids)
            if (each.second != "pass") return "pass";
        begin_work();
        double ordinary = 0, solo = 0, small = 0, pass = 0, sum = 0;
        for (const World& world : Dealer(deal, hand, random).worlds(level.bid_worlds)) {
            sum += world.weight;
            ordinary += world.weight * ordinary_value(world, deal.me);
            if (rules.talon_after_bid || legal.has("solo")) solo += world.weight * solo_value(world, deal.me);
            if (legal.has("small_solo")) small += world.weight * small_solo_value(world);
            pass += world.weight * pass_value(world);
            if (spent()) break;
        }
        if (sum == 0) return "pass";
        solo -= SOLO_MARGIN * sum * rules.opponents;
        small -= SOLO_MARGIN * sum * rules.opponents;
        double best = pass + BID_MARGIN * sum;
        std::string choice = "pass";
        if (rules.talon_after_bid) ordinary = std::max(ordinary, solo);
        if (legal.has("ordinary") && ordinary > best) best = ordinary, choice = "ordinary";
        if (legal.has("solo") && solo > best) best = solo, choice = "solo";
        if (legal.has("small_solo") && small > best) choice = "small_solo";
        return choice;
    }

    // Whether to give the talon away and play a solo.
    bool gives_talon(const Json& message) {
        begin_work();
        double gain = 0, sum = 0;
        for (const World& world : Dealer(deal, hand_of(message), random).worlds(level.bid_worlds)) {
            gain += world.weight * (solo_value(world, deal.me) - ordinary_value(world, deal.me));
            sum += world.weight;
            if (spent()) break;
        }
        return gain > SOLO_MARGIN * sum * rules.opponents;
    }

    Set discard(const Json& message) {
        Set hand = hand_of(message);
        std::vector<Set> pairs = best_discards(hand, 8);
        std::vector<double> totals(pairs.size());
        begin_work();
        deal.contract = "ordinary";
        deal.declarer = deal.me;
        for (World world : Dealer(deal, hand, random).worlds(level.play_worlds)) {
            for (size_t i = 0; i < pairs.size(); ++i) {
                world.hands[deal.me] = hand & ~pairs[i];
                totals[i] += world.weight * from_start(world, deal.me, "ordinary", points_of(pairs[i]));
            }
            if (spent()) break;
        }
        size_t best = 0;
        for (size_t i = 1; i < pairs.size(); ++i)
            if (totals[i] > totals[best] + 1e-9) best = i;
        return deal.discards = pairs[best];
    }

    int card(const Json& message) {
        Set hand = hand_of(message), legal = 0;
        for (const Json& each : message["legal"].items) legal |= bit(std::max(card_named(each.text), 0));
        // Cards that nobody else can hold separate no neighbours.
        Set gone = deal.discards | (deal.seen() & ~deal.trick_now(POINTS).cards);
        Set cards = distinct(legal, ALL & ~gone, POINTS);
        if (count(cards) == 1) return first(cards);
        std::vector<double> totals = deal.declarer < 0 ? table_totals(hand, cards) : totals_of(hand, cards);
        int best = -1;
        size_t i = 0;
        double most = 0;
        for (Set rest = cards; rest; rest &= rest - 1, ++i)
            if (best < 0 || totals[i] > most + 1e-9) best = first(rest), most = totals[i];
        return best;
    }

    uint64_t work() const { return by_points.nodes + by_tricks.nodes; }

   private:
    Level level;
    Rules rules;
    Deal deal;
    Random random;
    Solver by_points, by_tricks;
    uint64_t work_begun = 0;
    std::clock_t time_begun = 0;

    void begin_work() {
        work_begun = work();
        time_begun = std::clock();
    }

    // Whether to begin no new world. The processor's time is but an emergency brake: work is counted
    // in nodes, or the same deal would be played in another way on a slower machine.
    bool spent() const {
        return work() - work_begun > level.nodes ||
               double(std::clock() - time_begun) / CLOCKS_PER_SEC > level.brake_s;
    }

    static Set hand_of(const Json& message) {
        Set hand = 0;
        for (const Json& each : message["hand"].items)
            if (card_named(each.text) >= 0) hand |= bit(card_named(each.text));
        return hand;
    }

    // What each card pays me, summed over the sampled worlds; as declarer or defender.
    std::vector<double> totals_of(Set hand, Set cards) {
        std::vector<double> totals(size_t(count(cards)));
        begin_work();
        for (const World& world : Dealer(deal, hand, random).worlds(level.play_worlds)) {
            start_solvers(world, deal.declarer);
            size_t i = 0;
            for (Set rest = cards; rest; rest &= rest - 1, ++i) {
                double worth = worth_of(world, first(rest));
                totals[i] += world.weight * (deal.me == deal.declarer ? worth : -worth);
            }
            if (spent()) break;
        }
        return totals;
    }

    void start_solvers(const World& world, int declarer) {
        by_points.start(world.hands, declarer, 0, POINTS);
        by_tricks.start(world.hands, declarer, 1, NO_POINTS);
    }

    // The declarer's stakes from each opponent if I play a card now.
    double worth_of(const World& world, int card) {
        Set left = (world.hands[0] | world.hands[1] | world.hands[2]) & ~bit(card);
        Trick trick = deal.trick_now(POINTS), bare = deal.trick_now(NO_POINTS);
        trick.add(deal.me, card, POINTS);
        bare.add(deal.me, card, NO_POINTS);
        Set discards = deal.me == deal.declarer ? deal.discards : world.aside;
        int discarded = deal.contract == "ordinary" ? points_of(discards) : 0;
        return outcome(deal.contract, left, trick, bare, next_seat(deal.me), rules.tricks - deal.tricks,
                       deal.points[deal.declarer] + discarded, deal.won[deal.declarer],
                       deal.tricks - deal.won[deal.declarer]);
    }

    // The same for a deal in which nothing has been played.
    double from_start(const World& world, int declarer, const std::string& contract, int discarded) {
        start_solvers(world, declarer);
        return outcome(contract, world.hands[0] | world.hands[1] | world.hands[2], Trick(), Trick(), 0,
                       rules.tricks, discarded, 0, 0);
    }

    // Solves a position: stakes by the level that the declarer comes to, and a little for points.
    double outcome(const std::string& contract, Set left, const Trick& trick, const Trick& bare, int seat,
                   int tricks, int points, int won, int lost) {
        if (contract == "small_solo")
            return rules.small_solo[won > 0 || by_tricks.reaches(left, bare, seat, tricks, 1)];
        points = final_points(left, trick, seat, tricks, points);
        auto found = rules.rows.find(contract);
        const std::vector<double>& row = found == rules.rows.end() ? rules.rows["ordinary"] : found->second;
        int level = points >= 91 ? 1 : points >= 61 ? 2 : points >= 31 ? 3 : 4;
        if (level == 1 && !lost && by_tricks.reaches(left, bare, seat, tricks, tricks)) level = 0;
        if (level == 4 && !won && !by_tricks.reaches(left, bare, seat, tricks, 1)) level = 5;
        return row[size_t(level)] + POINT_WORTH * (points - 60);
    }

    // The declarer's card points at the end: exact in the last tricks, before that as near as the
    // levels and their middles tell. Asking only for these is far cheaper than the exact number.
    int final_points(Set left, const Trick& trick, int seat, int tricks, int points) {
        if (tricks <= EXACT_TRICKS) return points + by_points.value(left, trick, seat, tricks, 61 - points);
        int low = points, high = points + points_of(left) + trick.points;
        for (int bound : {61, 91, 31, 76, 46}) {
            if (bound <= low || bound > high) continue;
            if (by_points.reaches(left, trick, seat, tricks, bound - points)) low = bound;
            else high = bound - 1;
        }
        return (low + high) / 2;
    }

    // --- before the play: what contracts are worth in a world, in stakes of mine ---

    double ordinary_value(const World& world, int who) {
        World taken = world;
        Set ten = world.hands[who] | world.aside;
        Set pair = best_discards(ten, 1)[0];
        taken.hands[who] = ten & ~pair;
        double worth = from_start(taken, who, "ordinary", points_of(pair));
        return who == deal.me ? worth * rules.opponents : -worth;
    }

    double solo_value(const World& world, int who) {
        double worth = from_start(world, who, "solo", 0);
        return who == deal.me ? worth * rules.opponents : -worth;
    }

    double small_solo_value(const World& world) {
        return from_start(world, deal.me, "small_solo", 0) * rules.opponents;
    }

    // Somebody after me may bid; if nobody does, what all pass leads to.
    double pass_value(const World& world) {
        for (int who = deal.me + 1; who < 3; ++who) {
            double worth = hand_worth(world.hands[who]);
            if (worth >= SOLOS && !rules.talon_after_bid) return solo_value(world, who);
            if (worth >= PLAYS) return ordinary_value(world, who);
        }
        if (rules.all_pass != "table") return 0;
        return table_game(world).finish()[size_t(deal.me)];
    }

    // --- the table ---

    TableGame table_game(const World& world) {
        TableGame game;
        game.rules = rules.table;
        game.total = rules.tricks;
        game.done = deal.tricks;
        game.trick = deal.trick_now(POINTS);
        game.talon_led = !deal.trick.empty() && deal.trick[0].seat == 3;
        game.seat = deal.me;
        if (deal.contract.empty()) game.seat = 0;
        std::copy(world.hands, world.hands + 3, game.hands);
        std::copy(deal.won, deal.won + 4, game.tricks);
        std::copy(deal.points, deal.points + 4, game.points);
        // Talon cards already turned are never looked at again; the others come in any order.
        Set talon = world.aside;
        for (int i = std::min(1, count(talon) - 1); i >= 0; --i) {
            int card = first(talon);
            game.talon[count(world.aside) == 2 ? i : 1] = card;
            talon &= talon - 1;
        }
        return game;
    }

    std::vector<double> table_totals(Set hand, Set cards) {
        std::vector<double> totals(size_t(count(cards)));
        for (const World& world : Dealer(deal, hand, random).worlds(level.table_worlds)) {
            size_t i = 0;
            for (Set rest = cards; rest; rest &= rest - 1, ++i) {
                TableGame game = table_game(world);
                game.play(first(rest));
                totals[i] += world.weight * game.finish()[size_t(deal.me)];
            }
        }
        return totals;
    }
};

// --- messages ---

std::string quoted(const std::string& name, const std::string& text) {
    return "\"" + name + "\":\"" + text + "\"";
}

std::string two_cards(const std::string& one, const std::string& other) {
    return "\"cards\":[\"" + one + "\",\"" + other + "\"]";
}

// The answer that is always allowed, empty where nothing is asked.
std::string plain_answer(const Json& message) {
    const std::string& type = message["type"].text;
    const Json &legal = message["legal"], &hand = message["hand"];
    if (type == "blind") return "\"blind\":false";
    if (type == "bid") return quoted("bid", "pass");
    if (type == "talon") return quoted("choice", "take");
    if (type == "surrender") return "\"surrender\":false";
    if (type == "offer") return "\"accept\":true";
    if (type == "discard" && hand.items.size() >= 2)
        return two_cards(hand.items.rbegin()[0].text, hand.items.rbegin()[1].text);
    if (type == "play" && !legal.items.empty()) return quoted("card", legal.items[0].text);
    return "";
}

std::string considered_answer(const Json& message, Player& player) {
    const std::string& type = message["type"].text;
    if (type == "bid") return quoted("bid", player.bid(message));
    if (type == "talon") return quoted("choice", player.gives_talon(message) ? "give" : "take");
    if (type == "discard") {
        Set pair = player.discard(message);
        return two_cards(NAMES[first(pair)], NAMES[last(pair)]);
    }
    if (type == "play") {
        int card = player.card(message);
        if (card >= 0 && message["legal"].has(NAMES[card])) return quoted("card", NAMES[card]);
    }
    return plain_answer(message);
}

void say(const Json& request, const std::string& answer) {
    std::printf("{\"type\":\"%s\",\"id\":%d,%s}\n", request["type"].text.c_str(),
                request["id"].integer(0), answer.c_str());
}

int main(int argc, char** argv) {
    int level = argc > 1 ? std::clamp(std::atoi(argv[1]), 1, 4) : 2;
    Player player(LEVELS[level - 1]);
    Json request;  // the last one
    std::string line;
    while (std::getline(std::cin, line)) {
        Json message = JsonReader(line).value();
        const std::string& type = message["type"].text;
        if (type == "hello") {
            player.hello(message);
            std::printf("{\"type\":\"ready\",\"protocol\":1,\"name\":\"sampler\"}\n");
        } else if (type == "error") {
            if (!plain_answer(request).empty()) say(request, plain_answer(request));
        } else {
            player.learn(message);
            if (!plain_answer(message).empty()) {
                request = message;
                std::string answer = plain_answer(message);
                try {
                    answer = considered_answer(message, player);
                } catch (const std::exception&) {  // better a plain card than none
                }
                say(request, answer);
            }
        }
        std::fflush(stdout);
    }
}
