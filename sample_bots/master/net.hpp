// What a seat knows, as features, and the networks that judge its actions by them.
//
// A network has two hidden layers and tells, for each action, the stakes that it leads to on the
// average where all three go on like this. Features are 0 or 1 and few are 1, so that the first
// layer is a sum of some forty columns: a decision takes some microseconds.
#pragma once
#include <cmath>
#include <cstdio>

#include "deal.hpp"

// --- features ---

// Plain suits differ by name alone. Each seat names them by what it was dealt, the longest first, so
// that what is learned about one suit holds for all.
struct Turned {
    int to[26];
    int shift[3];  // where plain suit i lies in what is seen

    explicit Turned(Set dealt) {
        int order[3] = {1, 2, 3}, rank[4];
        for (int suit = 1; suit < 4; ++suit) {
            Set cards = (dealt >> (10 + 4 * suit)) & 15;
            rank[suit] = -(count(cards) * 16 + int(cards));
        }
        std::stable_sort(order, order + 3, [&](int a, int b) { return rank[a] < rank[b]; });
        for (int card = 0; card < 14; ++card) to[card] = card;
        for (int i = 0; i < 3; ++i) {
            shift[i] = 10 + 4 * order[i];
            for (int j = 0; j < 4; ++j) to[shift[i] + j] = 14 + 4 * i + j;
        }
    }
    Set operator()(Set set) const {
        return (set & TRUMPS) | ((set >> shift[0]) & 15) << 14 | ((set >> shift[1]) & 15) << 18 |
               ((set >> shift[2]) & 15) << 22;
    }
};

struct Features {
    uint16_t on[160];
    int size = 0;

    void set(Set cards) {
        for (; cards; cards &= cards - 1) on[size++] = uint16_t(next + first(cards));
        next += 26;
    }
    void one(int value, int values) {  // -1: none
        if (value >= 0) on[size++] = uint16_t(next + std::min(value, values - 1));
        next += values;
    }
    int next = 0;
};

const int FEATURES = 496;

// All that the seat on turn knows and nothing else.
inline void look(const Deal& deal, const Turned& turned, Features& features) {
    const int me = deal.seat, left = next_seat(me), right = next_seat(left);
    auto who = [&](int seat) { return seat < 0 ? 0 : seat == 3 ? 4 : seat == me ? 1 : seat == left ? 2 : 3; };
    const bool declares = me == deal.declarer;
    const Set hand = deal.hands[me];
    const Set mine = hand | (declares ? deal.discards : 0);
    const Set seen = deal.played[0] | deal.played[1] | deal.played[2] | deal.played[3];
    const Set unseen = ALL & ~seen & ~mine;

    features.set(turned(hand));
    features.set(turned(declares ? deal.discards : 0));
    features.set(turned(deal.played[left]));
    features.set(turned(deal.played[right]));
    features.set(turned(deal.played[me] | deal.played[3]));
    features.one(int(deal.phase), 3);
    features.one(me, 3);
    for (int seat : {left, right}) features.one(deal.bids[seat] < 0 ? -1 : deal.bids[seat] - Pass, 4);
    features.one(deal.rules->small_solo, 2);
    features.one(deal.rules->talon_after_bid, 2);
    features.one(!deal.rules->solo, 2);
    features.one(count(deal.discards) == 1, 2);
    features.one(count(hand & TRUMPS), 11);
    features.one(count(hand & 0xFF), 9);
    if (deal.phase != Deal::Playing) return;

    Set high = 0, takes = 0;  // cards that nobody can beat, and that beat what lies
    for (int suit = 0; suit < 4; ++suit) {
        Set others = unseen & SUITS[suit], own = hand & SUITS[suit];
        high |= others ? own & ((others & (0 - others)) - 1) : own;
    }
    if (deal.trick.size)
        for (Set rest = hand; rest; rest &= rest - 1)
            if (deal.trick.beaten_by(first(rest))) takes |= bit(first(rest));
    features.set(turned(high));
    features.set(turned(takes));
    features.set(deal.trick.size ? bit(turned.to[deal.trick_led]) : 0);
    features.set(deal.trick.size ? bit(turned.to[deal.trick.best]) : 0);
    features.set(turned(deal.trick.cards));
    for (int seat : {left, right}) {
        features.one(deal.lacks[seat] & 1, 2);
        for (int i = 0; i < 3; ++i) features.one(deal.lacks[seat] >> turned.shift[i] & 1, 2);
    }
    features.one(count(unseen & TRUMPS), 15);
    for (int i = 0; i < 3; ++i) features.one(count(unseen >> turned.shift[i] & 15), 5);
    features.one(deal.trick.size, 4);
    features.one(deal.talon_led, 2);
    features.one(who(deal.declarer), 4);
    features.one(deal.contract == Blind ? Solo : deal.contract, 5);
    features.one(who(deal.trick.holder), 5);
    int points = deal.trick.points;
    features.one(!points ? 0 : points < 5 ? 1 : points < 10 ? 2 : points < 14 ? 3 : points < 20 ? 4 : 5, 6);
    features.one(deal.done, 8);
    for (int seat : {me, left, right}) features.one(deal.tricks[seat], 9);
    if (deal.declarer < 0) {
        for (int seat : {me, left, right}) features.one(deal.points[seat] / 8, 12);
        features.next += 48;
    } else {
        int own = deal.points[deal.declarer] - (declares ? 0 : points_of(deal.discards)), theirs = 0;
        for (int seat = 0; seat < 3; ++seat) theirs += seat == deal.declarer ? 0 : deal.points[seat];
        features.next += 36;
        features.one(own / 4, 24);
        features.one(theirs / 4, 24);
    }
}

// --- networks ---

const int WIDE = 128, NARROW = 64;

struct Net {
    float first[FEATURES][WIDE], first_bias[WIDE];
    float second[WIDE][NARROW], second_bias[NARROW];
    float last[ACTIONS][NARROW], last_bias[ACTIONS];
};

struct Hidden {
    float wide[WIDE], narrow[NARROW];
};

// Where the processor has wider registers they are used; sums come out the same to the last digit.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
__attribute__((target_clones("avx2", "default")))
#endif
inline void hide(const Net& net, const Features& features, Hidden& hidden) {
    float* wide = hidden.wide;
    float* narrow = hidden.narrow;
    for (int i = 0; i < WIDE; ++i) wide[i] = net.first_bias[i];
    for (int k = 0; k < features.size; ++k) {
        const float* column = net.first[features.on[k]];
        for (int i = 0; i < WIDE; ++i) wide[i] += column[i];
    }
    for (int i = 0; i < NARROW; ++i) narrow[i] = net.second_bias[i];
    for (int k = 0; k < WIDE; ++k) {
        if (wide[k] <= 0) { wide[k] = 0; continue; }
        const float* row = net.second[k];
        const float scale = wide[k];
        for (int i = 0; i < NARROW; ++i) narrow[i] += scale * row[i];
    }
    for (int i = 0; i < NARROW; ++i) narrow[i] = std::max(narrow[i], 0.0f);
}

inline float judge(const Net& net, const Hidden& hidden, int output) {
    float sum[4] = {net.last_bias[output], 0, 0, 0};
    for (int i = 0; i < NARROW; i += 4)
        for (int j = 0; j < 4; ++j) sum[j] += net.last[output][i + j] * hidden.narrow[i + j];
    return sum[0] + sum[1] + sum[2] + sum[3];
}

// One network for each kind of decision.
enum Kind { BeforePlay, AsDeclarer, AsDefender, AtTable, AtOtherTable, InSmallSolo, KINDS };

inline Kind kind_of(const Deal& deal) {
    if (deal.phase != Deal::Playing) return BeforePlay;
    if (deal.contract == SmallSolo) return InSmallSolo;
    if (deal.declarer >= 0) return deal.seat == deal.declarer ? AsDeclarer : AsDefender;
    bool usual = deal.rules->table.settlement == "most_tricks_pays" && !deal.rules->table.talon_plays;
    return usual ? AtTable : AtOtherTable;
}

// The actions among which the seat on turn has to choose, each with its worth.
struct Choice {
    int actions[12], size = 0;
    float worth[12];

    void offer(int action) { actions[size++] = action; }
    int best() const { return actions[std::max_element(worth, worth + size) - worth]; }
};

inline void list(const Deal& deal, Choice& choice) {
    if (deal.phase == Deal::Bidding) {
        choice.offer(Pass);
        choice.offer(BidOrdinary);
        if (deal.rules->solo && !deal.rules->talon_after_bid) choice.offer(BidSolo);
        if (deal.rules->small_solo) choice.offer(BidSmallSolo);
    } else if (deal.phase == Deal::Choosing) {
        choice.offer(BidOrdinary);
        choice.offer(BidSolo);
    } else {
        for (Set cards = deal.cards(); cards; cards &= cards - 1) choice.offer(first(cards));
    }
}

struct Judgement {
    Features features;
    Hidden hidden;
};

inline void judge(const Net* nets, const Deal& deal, const Turned& turned, Choice& choice, Judgement& how) {
    const Net& net = nets[kind_of(deal)];
    how.features.size = how.features.next = 0;
    look(deal, turned, how.features);
    hide(net, how.features, how.hidden);
    for (int i = 0; i < choice.size; ++i) {
        int action = choice.actions[i];
        choice.worth[i] = judge(net, how.hidden, action < 26 ? turned.to[action] : action);
    }
}

// Weights are stored as 16-bit numbers, each layer with its scale.
inline bool load(std::vector<Net>& nets, const char* path) {
    nets.resize(KINDS);
    std::FILE* file = std::fopen(path, "rb");
    if (!file) return false;
    const size_t n = sizeof(Net) / sizeof(float) * KINDS;
    std::vector<int16_t> raw(n);
    bool whole = std::fread(raw.data(), 2, n, file) == n;
    std::fclose(file);
    float* weights = &nets[0].first[0][0];
    for (size_t i = 0; i < n; ++i) weights[i] = raw[i] / 2048.0f;
    return whole;
}
