// One deal from the first bid to the payment, by any preset: what may be done, and what it leads to.
// Both the training and the bot's play-outs run on it, a million decisions a second.
#pragma once
#include "game.hpp"

enum Contract { Ordinary, Solo, SmallSolo, Blind, Table, NoContract };

// An action is a card, to be played or discarded, or one of these.
enum Action { Pass = 26, BidOrdinary, BidSolo, BidSmallSolo, ACTIONS };

struct Rules {
    double rows[4][6] = {{3, 2, 1, -2, -3, -4}, {6, 5, 4, -5, -6, -7}, {6, -7}, {9, 8, 7, -8, -9, -10}};
    int tricks = 8;
    int opponents = 2;  // who pay or are paid by the declarer
    bool solo = true, small_solo = false;
    bool talon_after_bid = false;  // whether it is a solo is said after the bid
    bool all_pass_plays = true;    // else nothing is paid when all pass
    TableRules table;
};

struct Deal {
    enum Phase { Bidding, Choosing, Discarding, Playing, Over };

    const Rules* rules = nullptr;
    Phase phase = Bidding;
    Set hands[3] = {};  // now
    Set dealt[3] = {};  // the eight cards that each bid on
    int talon[2] = {-1, -1};
    int seat = 0;  // whose turn it is
    int bids[3] = {-1, -1, -1};
    int contract = NoContract, declarer = -1;
    Set discards = 0;
    Set played[4] = {};  // by seat, and by the talon
    Set lacks[3] = {};   // the suits in which a seat has shown a void
    Trick trick;
    int trick_led = -1;     // the card
    bool talon_led = false;
    int done = 0, tricks[4] = {}, points[4] = {};

    // Nothing that the seat on turn knows tells these actions apart from those left out.
    Set cards() const {
        if (phase == Discarding) return hands[seat];
        Set legal = legal_cards(hands[seat], trick.led_suit);
        if (!(legal & (legal - 1))) return legal;
        return distinct(legal, in_play(seat), POINTS);
    }

    // What may still be in play for all that a seat knows.
    Set in_play(int who) const {
        Set gone = (played[0] | played[1] | played[2] | played[3]) & ~trick.cards;
        return ALL & ~gone & ~(who == declarer ? discards : 0);
    }

    void act(int action) {
        switch (phase) {
            case Bidding: bid(action); break;
            case Choosing: declare(action == BidSolo ? Solo : Ordinary); break;
            case Discarding: discard(action); break;
            default: play(action);
        }
    }

    void bid(int action) {
        bids[seat] = action;
        if (action == BidOrdinary && rules->talon_after_bid) declarer = seat, phase = Choosing;
        else if (action != Pass) declarer = seat, declare(action - BidOrdinary);
        else if (++seat == 3) {
            contract = Table;
            begin_play();
            if (!rules->all_pass_plays) phase = Over;
        }
    }

    void declare(int contract_) {
        contract = contract_;
        if (contract != Ordinary) return begin_play();
        hands[declarer] |= bit(talon[0]) | bit(talon[1]);
        phase = Discarding;
    }

    void discard(int card) {
        discards |= bit(card);
        hands[declarer] &= ~bit(card);
        if (count(discards) < 2) return;
        points[declarer] += points_of(discards);
        begin_play();
    }

    void play(int card) {
        Set mine = bit(card);
        if (trick.size && suit_of(card) != trick.led_suit) lacks[seat] |= SUITS[trick.led_suit];
        if (!trick.size) trick_led = card;
        hands[seat] &= ~mine;
        played[seat] |= mine;
        trick.add(seat, card, POINTS);
        seat = next_seat(seat);
        if (trick.size < (talon_led ? 4 : 3)) return;
        if (!talon_led && talon_due()) turn_talon();
        take_trick();
    }

    // Stakes, by seat.
    Stakes paid() const {
        if (contract == Table) return rules->all_pass_plays ? paid_at_table() : Stakes{};
        double worth = rules->rows[contract][level()];
        Stakes stakes{-worth, -worth, -worth};
        stakes[declarer] = worth * rules->opponents;
        return stakes;
    }

   private:
    void begin_play() {
        phase = Playing;
        seat = 0;
    }

    bool talon_due() const {
        return contract == Table && rules->table.talon_plays && done < 2 && talon[done] >= 0;
    }

    void turn_talon() {
        played[3] |= bit(talon[done]);
        if (!trick.size) trick_led = talon[done];
        trick.add(3, talon[done], POINTS);
    }

    void take_trick() {
        ++tricks[trick.holder];
        points[trick.holder] += trick.points;
        talon_led = trick.holder == 3;
        seat = talon_led ? 0 : trick.holder;
        trick = Trick();
        ++done;
        // In a small solo the first trick that is taken settles it.
        if (done == rules->tricks || (contract == SmallSolo && tricks[declarer])) phase = Over;
        talon_led = talon_led && phase == Playing && talon_due();
        if (talon_led) turn_talon();
    }

    int level() const {
        int won = tricks[declarer], sum = points[declarer];
        if (contract == SmallSolo) return won > 0;
        if (won == rules->tricks) return 0;
        if (won == 0) return 5;
        return sum >= 91 ? 1 : sum >= 61 ? 2 : sum >= 31 ? 3 : 4;
    }

    // Who has most tricks (or fewest), then most points, settles with each of the others.
    Stakes paid_at_table() const {
        bool fewest = rules->table.settlement == "fewest_tricks_collects";
        bool by_points = rules->table.settlement == "most_points_pays";
        int rank[3];
        for (int i = 0; i < 3; ++i) rank[i] = by_points ? points[i] : tricks[i] * 1000 + points[i];
        int edge = fewest ? *std::min_element(rank, rank + 3) : *std::max_element(rank, rank + 3);
        Stakes stakes{};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                if ((rank[i] == edge) != (rank[j] == edge))
                    stakes[i] += (rank[i] == edge) == fewest ? rules->table.stake : -rules->table.stake;
        return stakes;
    }
};
