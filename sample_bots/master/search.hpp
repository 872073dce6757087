// From what is known to what is best: worlds, how likely they are, and play-outs in them.
//
// A search that solves each world with open hands believes that all will know all cards from the next
// trick on: it sees no need to find out, hide or guess ("strategy fusion"), and takes partners for mind
// readers. Here all seats go on by the networks, each by what it would know itself, so that a card is
// worth what it is worth among players who cannot see through cards.
#pragma once
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "net.hpp"

struct Settings {
    int worlds = 400;          // in which a decision is tried out
    int draws = 6;             // for each of them, of which the likely ones are kept
    long work = 100000;        // no new world is begun after so many judgements of a network
    double trust = 10;         // in the network's own judgement, in worlds
    double bid_doubt = 1;      // by how many stakes others may misjudge a bid,
    double play_doubt = 1;     // and a card; 0: cards tell nothing
    double discard_doubt = 4;  // how vague we are on what others discard
    double flattery = 0.15;    // of bids, as a part of what is between a game won and lost
    double drop = 3;           // standard errors by which a choice must be behind to be given up
};

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

// One way in which the cards may lie.
struct World {
    Set hands[3] = {};  // now
    Set dealt[3] = {};
    Set aside = 0;      // the talon, or the declarer's discards
    double weight = 1;
};

// How good a discard looks: points put into safety and suits emptied, but no trumps and no aces.
inline double discard_worth(Set hand, Set pair) {
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

class Search {
   public:
    Settings settings;
    std::vector<Net> nets;
    Random random;
    std::function<bool()> late = [] { return false; };  // the emergency brake

    // What another seat saw when it had to choose, but for its hidden cards, and what it did.
    struct Past {
        Deal before;
        int action;
    };

    // The best of some actions. `now` is what I know of the deal: my hand, my discards if I declared.
    int best(const Deal& now, const std::vector<Past>& past, Choice choice) {
        if (choice.size == 1) return choice.actions[0];
        Judgement how;
        judge(&nets[0], now, Turned(now.dealt[now.seat]), choice, how);
        return tried(now, past, choice.size, [&](int i) { return choice.worth[i]; },
                     [&](int i) { return flattered(now, choice.actions[i]); },
                     [&](Deal& deal, int i) { deal.act(choice.actions[i]); }, choice.actions);
    }

    Set best_discard(const Deal& now, const std::vector<Past>& past, size_t most) {
        std::vector<std::pair<double, Set>> pairs = likely_discards(now);
        if (pairs.size() > most) pairs.resize(most);
        std::vector<int> places;
        for (size_t i = 0; i < pairs.size(); ++i) places.push_back(int(i));
        int i = tried(now, past, int(pairs.size()), [&](int k) { return -pairs[size_t(k)].first; },
                      [](int) { return 0.0; },
                      [&](Deal& deal, int k) {
                          Set pair = pairs[size_t(k)].second;
                          deal.act(first(pair)), deal.act(last(pair));
                      }, places.data());
        return pairs[size_t(i)].second;
    }

    long work = 0;

   private:
    // Pairs by the network's judgement, best first.
    std::vector<std::pair<double, Set>> likely_discards(const Deal& now) {
        std::map<Set, double> worth;
        Turned turned(now.dealt[now.seat]);
        Choice one;
        list(now, one);
        Judgement how;
        judge(&nets[0], now, turned, one, how);
        for (int k = 0; k < one.size; ++k) {
            Deal next = now;
            next.act(one.actions[k]);
            Choice two;
            list(next, two);
            judge(&nets[0], next, turned, two, how);
            for (int i = 0; i < two.size; ++i)
                worth[bit(one.actions[k]) | bit(two.actions[i])] += (double(one.worth[k]) + double(two.worth[i])) / 4;
        }
        std::vector<std::pair<double, Set>> pairs;
        for (auto& each : worth) pairs.push_back({-each.second, each.first});
        std::sort(pairs.begin(), pairs.end());
        return pairs;
    }

    // By how many stakes play-outs flatter a bid: networks alone defend worse than those who search.
    double flattered(const Deal& now, int action) const {
        if (action <= Pass) return 0;
        const int contract = action - BidOrdinary;
        const double* row = now.rules->rows[contract];
        double between = contract == SmallSolo ? row[0] - row[1] : row[2] - row[3];
        return settings.flattery * now.rules->opponents * between;
    }

    // Tries out each of `n` choices in the same worlds, and gives up those that are clearly behind.
    template <typename Prior, typename Flattered, typename Begin>
    int tried(const Deal& now, const std::vector<Past>& past, int n, Prior prior, Flattered flattered,
              Begin begin, const int* answers) {
        const int me = now.seat;
        const long until = work + settings.work;
        std::vector<double> sum(size_t(n), 0), sums(size_t(n * n), 0), squares(size_t(n * n), 0);
        std::vector<bool> open(size_t(n), true);
        double weight = 0, squared = 0;
        int tries = 0, left = n;
        auto lead = [&] {
            int best = -1;
            for (int i = 0; i < n; ++i)
                if (open[size_t(i)] &&
                    (best < 0 || sum[size_t(i)] + settings.trust * prior(i) >
                                     sum[size_t(best)] + settings.trust * prior(best) + 1e-9)) best = i;
            return best;
        };
        for (const World& world : worlds(now, past)) {
            std::vector<double> paid(size_t(n), 0);
            for (int i = 0; i < n; ++i) {
                if (!open[size_t(i)]) continue;
                Deal deal = placed(now, world);
                begin(deal, i);
                paid[size_t(i)] = play_out(deal, world)[size_t(me)] - flattered(i);
                sum[size_t(i)] += world.weight * paid[size_t(i)];
            }
            weight += world.weight, squared += world.weight * world.weight;
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    double gap = paid[size_t(i)] - paid[size_t(j)];
                    sums[size_t(i * n + j)] += world.weight * gap;
                    squares[size_t(i * n + j)] += world.weight * gap * gap;
                }
            if (work > until || late()) break;
            if (++tries % 16) continue;
            int best = lead();
            for (int i = 0; i < n; ++i) {
                if (!open[size_t(i)] || i == best) continue;
                double mean = sums[size_t(best * n + i)] / weight;
                double spread = squares[size_t(best * n + i)] / weight - mean * mean;
                double mistake = std::sqrt(std::max(spread, 0.0) * squared) / weight;
                if (mean > settings.drop * mistake + 0.02 && mean > 0) open[size_t(i)] = false, --left;
            }
            if (left == 1) break;
        }
        return answers[lead()];
    }

    Deal placed(const Deal& now, const World& world) const {
        Deal deal = now;
        std::copy(world.hands, world.hands + 3, deal.hands);
        std::copy(world.dealt, world.dealt + 3, deal.dealt);
        if (now.contract == Ordinary && now.phase == Deal::Playing) {
            if (now.declarer != now.seat) {
                deal.discards = world.aside;
                deal.points[now.declarer] += points_of(world.aside);
            }
        } else if (world.aside) {
            // Talon cards that were turned are never looked at again.
            deal.talon[1] = last(world.aside);
            if (count(world.aside) == 2) deal.talon[0] = first(world.aside);
        }
        return deal;
    }

    Stakes play_out(Deal& deal, const World& world) {
        Turned turned[3] = {Turned(world.dealt[0]), Turned(world.dealt[1]), Turned(world.dealt[2])};
        Judgement how;
        while (deal.phase != Deal::Over) {
            Choice choice;
            list(deal, choice);
            if (choice.size == 1) { deal.act(choice.actions[0]); continue; }
            judge(&nets[0], deal, turned[deal.seat], choice, how);
            ++work;
            deal.act(choice.best());
        }
        return deal.paid();
    }

    // --- worlds ---

    // Worlds as likely as what others did says. Bids are cheap to judge and told of many draws, cards
    // only of those that are left.
    std::vector<World> worlds(const Deal& now, const std::vector<Past>& past) {
        std::vector<World> drawn;
        for (int i = 0; i < settings.draws * settings.worlds; ++i) {
            World world;
            if (draw(now, world)) {
                for (const Past& each : past)
                    if (each.before.phase != Deal::Playing)
                        world.weight *= likelihood(each, now, world, settings.bid_doubt);
                drawn.push_back(world);
            }
        }
        drawn = picked(drawn, 3 * settings.worlds);
        if (settings.play_doubt > 0)
            for (World& world : drawn)
                for (const Past& each : past)
                    if (each.before.phase == Deal::Playing)
                        world.weight *= likelihood(each, now, world, settings.play_doubt);
        return picked(drawn, settings.worlds);
    }

    // So many of the worlds, each as often as its weight says, in any order.
    std::vector<World> picked(const std::vector<World>& drawn, int wanted) {
        double total = 0, sum = 0;
        for (const World& world : drawn) total += world.weight;
        double step = total / wanted, next = step * random.unit();
        std::vector<World> kept;
        for (World world : drawn) {
            sum += world.weight;
            world.weight = 0;
            for (; next < sum && step > 0; next += step) ++world.weight;
            if (world.weight > 0) kept.push_back(world);
        }
        for (size_t i = kept.size(); i > 1; --i) std::swap(kept[i - 1], kept[size_t(random.below(int(i)))]);
        return kept;
    }

    // Deals the unseen cards at random where the voids allow, and weighs the result for how rarely
    // this way of dealing comes to it.
    bool draw(const Deal& now, World& world) {
        const int me = now.seat;
        Set seen = now.played[0] | now.played[1] | now.played[2] | now.played[3];
        Set mine = now.hands[me] | (me == now.declarer ? now.discards : 0);
        Set unseen = ALL & ~seen & ~mine;
        Set piles[4] = {};
        int room[4];
        for (int i = 0; i < 3; ++i) room[i] = i == me ? 0 : 8 - count(now.played[i]);
        room[3] = count(unseen) - room[0] - room[1] - room[2];
        if (room[3] < 0) return false;
        // The cards with the fewest places to go are dealt first, or there is soon no room for them.
        for (int takers = 1; takers <= 3; ++takers)
            for (Set rest = unseen; rest; rest &= rest - 1) {
                int card = first(rest), open = 0, sum = 0;
                bool may[4];
                for (int i = 0; i < 4; ++i) {
                    may[i] = i != me && (i == 3 || !(now.lacks[i] & bit(card)));
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
        for (int i = 0; i < 3; ++i) world.hands[i] = i == me ? now.hands[me] : piles[i];
        world.aside = piles[3];
        const bool hidden = now.contract == Ordinary && now.declarer != me;
        if (hidden && !guess_discards(now, world)) return false;
        for (int i = 0; i < 3; ++i) {
            world.dealt[i] = i == me ? now.dealt[me] : world.hands[i] | now.played[i];
            if (!hidden || i != now.declarer) continue;
            world.dealt[i] |= world.aside;  // any two of the ten may have been the talon
            for (int two = 0; two < 2; ++two) {
                Set rest = world.dealt[i];
                for (int skip = random.below(count(rest)); skip; --skip) rest &= rest - 1;
                world.dealt[i] &= ~bit(first(rest));
            }
        }
        return true;
    }

    // The declarer's hidden cards are in its hand or discarded: draw anew which, as it would choose.
    bool guess_discards(const Deal& now, World& world) {
        int who = now.declarer, n = 0;
        Set hidden = world.hands[who] | world.aside, ten = hidden | now.played[who];
        double chances[45], sum = 0, fitting = 0;
        Set pairs[45];
        for (Set one = ten; one; one &= one - 1)
            for (Set two = one & (one - 1); two; two &= two - 1) {
                Set pair = bit(first(one)) | bit(first(two));
                double chance = std::exp(discard_worth(ten, pair) / settings.discard_doubt);
                sum += chance;
                bool fits = !(pair & ~hidden) && !(hidden & ~pair & now.lacks[who]);
                if (!fits) continue;
                fitting += chance;
                chances[n] = chance;
                pairs[n++] = pair;
            }
        if (!n) return false;
        world.weight *= fitting / sum / n;
        double drawn = random.unit() * fitting;
        int i = 0;
        while (i + 1 < n && drawn >= chances[i]) drawn -= chances[i++];
        world.aside = pairs[i];
        world.hands[who] = hidden & ~pairs[i];
        return true;
    }

    // How likely a seat with these cards would have done what it did, if it errs by some stakes
    // (a softmax of the worths that its network sees) and now and then does anything.
    double likelihood(const Past& each, const Deal& now, const World& world, double doubt) {
        Deal deal = each.before;
        const int who = deal.seat;
        deal.dealt[who] = world.dealt[who];
        if (deal.phase != Deal::Playing) deal.hands[who] = world.dealt[who];
        else {
            deal.hands[who] = (world.hands[who] | now.played[who]) & ~deal.played[who];
            if (who == deal.declarer && deal.contract == Ordinary) {
                deal.discards = world.aside;
                deal.points[who] += points_of(world.aside);
            }
        }
        Choice choice;
        list(deal, choice);
        if (choice.size == 1) return 1;
        Judgement how;
        judge(&nets[0], deal, Turned(deal.dealt[who]), choice, how);
        ++work;
        // A card that is worth the same as its neighbour stands for both.
        int action = each.action;
        if (action < 26) {
            Set listed = 0;
            for (int i = 0; i < choice.size; ++i) listed |= bit(choice.actions[i]);
            Set up = listed & SUITS[suit_of(action)] & ((bit(action) << 1) - 1);
            if (!up) return 1;
            action = last(up);
        }
        float most = *std::max_element(choice.worth, choice.worth + choice.size);
        double sum = 0, mine = 0;
        for (int i = 0; i < choice.size; ++i) {
            double chance = std::exp((choice.worth[i] - most) / doubt);
            sum += chance;
            if (choice.actions[i] == action) mine = chance;
        }
        return 0.02 + 0.98 * mine / sum;
    }
};
