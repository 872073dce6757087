// Master: a Zole bot that judges by what three copies of it learned from playing with each other.
//
// bot.cpp has the messages and what they tell of a deal; search.hpp the worlds and play-outs; net.hpp
// the networks; deal.hpp the game; game.hpp and json.hpp are those of `sampler`. train.cpp made
// weights.bin.
#include <cstdio>
#include <ctime>
#include <exception>
#include <iostream>

#include "json.hpp"
#include "search.hpp"

const double BRAKE_S = 2;        // of processor time for a decision: on a machine that crawls
const double CLOCK_SHARE = 0.1;  // of the clock, if that is less

void read_rules(const Json& json, Rules& rules) {
    const char* const names[4] = {"ordinary", "solo", "small_solo", "blind"};
    for (int i = 0; i < 4; ++i) {
        const std::vector<Json>& items = json["scoring"][names[i]].items;
        for (size_t k = 0; k < items.size() && k < 6; ++k) rules.rows[i][k] = items[k].number;
    }
    rules.tricks = json["play"]["tricks"].integer(8);
    if (json["sitout"]["scoring"].text == "as_opponent") rules.opponents = json["players"].integer(3) - 1;
    const Json& contracts = json["auction"]["contracts"];
    rules.small_solo = contracts.has("small_solo");
    rules.solo = contracts.items.empty() || contracts.has("solo");
    rules.talon_after_bid = json["auction"]["talon_decision"].text == "after_bid";
    rules.all_pass_plays = json["all_pass"].text.empty() || json["all_pass"].text == "table";
    if (!json["table"]["settlement"].text.empty()) rules.table.settlement = json["table"]["settlement"].text;
    rules.table.talon_plays = json["table"]["talon"].text == "first_two_tricks";
    rules.table.stake = json["table"]["stake"].integer(2);
}

int action_named(const std::string& bid) {
    return bid == "ordinary" ? BidOrdinary : bid == "solo" ? BidSolo : bid == "small_solo" ? BidSmallSolo : Pass;
}

class Player {
   public:
    Search search;

    void hello(const Json& message) {
        rules = Rules();
        read_rules(message["rules"], rules);
        search.random.state = uint64_t(message["seed"].number);
    }

    void learn(const Json& message) {
        for (const Json& event : message["events"].items) hear(event, message["seat"].integer(0));
    }

    std::string bid(const Json& message) {
        take_hand(message);
        const Json& legal = message["legal"];
        // In a ranked auction somebody may play already; to defend is then good enough.
        if (taken) return "pass";
        deal.phase = Deal::Bidding;
        Choice choice;
        for (const char* name : {"pass", "ordinary", "solo", "small_solo"})
            if (legal.has(name)) choice.offer(action_named(name));
        const char* const names[4] = {"pass", "ordinary", "solo", "small_solo"};
        return names[decide(message, choice) - Pass];
    }

    // Whether to give the talon away and play a solo.
    bool gives_talon(const Json& message) {
        take_hand(message);
        deal.phase = Deal::Choosing;
        deal.declarer = me;
        Choice choice;
        list(deal, choice);
        return decide(message, choice) == BidSolo;
    }

    Set discard(const Json& message) {
        take_hand(message);
        deal.phase = Deal::Discarding;
        deal.declarer = me;
        deal.contract = Ordinary;
        start_clock(message);
        Set pair = search.best_discard(deal, past, 10);
        deal.discards = pair;  // nobody will tell
        deal.points[me] += points_of(pair);
        deal.phase = Deal::Playing;
        return pair;
    }

    int card(const Json& message) {
        take_hand(message);
        Choice choice;
        list(deal, choice);
        return decide(message, choice);
    }

   private:
    Rules rules;
    Deal deal;
    std::vector<Search::Past> past;
    int active[3] = {0, 1, 2};
    int me = 0;
    bool taken = false;  // somebody has bid to play

    int decide(const Json& message, const Choice& choice) {
        start_clock(message);
        return search.best(deal, past, choice);
    }

    void start_clock(const Json& message) {
        double most = BRAKE_S;
        if (!message["clock_s"].is_null()) most = std::min(most, CLOCK_SHARE * message["clock_s"].number);
        std::clock_t begun = std::clock();
        search.late = [=] { return double(std::clock() - begun) / CLOCKS_PER_SEC > most; };
    }

    int place(const Json& seat) const {
        for (int i = 0; i < 3; ++i)
            if (seat.kind == Json::Number && active[i] == int(seat.number)) return i;
        return 3;
    }

    void take_hand(const Json& message) {
        Set hand = 0;
        for (const Json& each : message["hand"].items)
            if (card_named(each.text) >= 0) hand |= bit(card_named(each.text));
        deal.hands[me] = hand;
        deal.seat = me;
        for (const Json& each : message["talon"].items)
            if (card_named(each.text) >= 0) hand &= ~bit(card_named(each.text));
        if (!deal.dealt[me]) deal.dealt[me] = hand | deal.played[me];
    }

    void hear(const Json& event, int seat) {
        const std::string& what = event["event"].text;
        if (what == "deal") begin(event, seat);
        else if (what == "bid") hear_bid(place(event["seat"]), event["bid"].text);
        else if (what == "blind" && event["blind"].truth()) hear_bid(place(event["seat"]), "blind");
        else if (what == "contract") hear_contract(event);
        else if (what == "card") hear_card(place(event["seat"]), card_named(event["card"].text));
        else if (what == "trick") hear_trick(place(event["winner"]), event["points"].integer(0));
    }

    void begin(const Json& event, int seat) {
        deal = Deal();
        deal.rules = &rules;
        past.clear();
        taken = false;
        for (size_t i = 0; i < 3 && i < event["active"].items.size(); ++i)
            active[i] = event["active"].items[i].integer(0);
        for (int i = 0; i < 3; ++i)
            if (active[i] == seat) me = i;
    }

    void hear_bid(int who, const std::string& bid) {
        if (who > 2) return;
        deal.seat = who;
        deal.phase = Deal::Bidding;
        // After another's bid a pass says little, and a blind bid says nothing.
        if (who != me && !taken && bid != "blind") past.push_back({deal, action_named(bid)});
        deal.bids[who] = action_named(bid);
        taken = taken || bid != "pass";
    }

    void hear_contract(const Json& event) {
        const std::string& name = event["contract"].text;
        deal.declarer = event["declarer"].is_null() ? -1 : place(event["declarer"]);
        deal.contract = name == "ordinary" ? Ordinary : name == "solo" ? Solo : name == "small_solo" ? SmallSolo
                      : name == "blind" ? Blind : Table;
        deal.phase = Deal::Playing;
    }

    void hear_card(int who, int card) {
        if (card < 0) return;
        if (!deal.trick.size) deal.talon_led = who == 3, deal.trick_led = card;
        else if (who < 3 && suit_of(card) != deal.trick.led_suit) deal.lacks[who] |= SUITS[deal.trick.led_suit];
        deal.seat = who;
        if (who < 3 && who != me) past.push_back({deal, card});
        deal.played[who] |= bit(card);
        deal.hands[who % 3] &= ~(who < 3 ? bit(card) : 0);
        deal.trick.add(who, card, POINTS);
    }

    void hear_trick(int winner, int points) {
        ++deal.done, ++deal.tricks[winner], deal.points[winner] += points;
        deal.trick = Trick();
        deal.talon_led = false;
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

int main() {
    Player player;
    if (!load(player.search.nets, "weights.bin")) return 1;
    Json request;  // the last one
    std::string line;
    while (std::getline(std::cin, line)) {
        Json message = JsonReader(line).value();
        const std::string& type = message["type"].text;
        if (type == "hello") {
            player.hello(message);
            std::printf("{\"type\":\"ready\",\"protocol\":1,\"name\":\"master\"}\n");
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
