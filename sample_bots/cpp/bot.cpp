// A Zole bot in C++17 without any library: it reads requests, one line each, and answers them.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>
using Text = std::string_view;

// ---- JSON: no tree is built; these functions cut values out of the text of a line. ----

// Where the value (or key) that begins at i ends: at the comma, colon or bracket behind it.
static size_t value_end(Text text, size_t i) {
    int depth = 0;
    for (bool in_text = false; i < text.size(); i++) {
        char c = text[i];
        if (in_text && c == '\\') i++;  // an escaped quote does not end a text
        else if (c == '"') in_text = !in_text;
        else if (in_text) continue;  // brackets in a text are only letters
        else if (depth == 0 && Text(",:]}").find(c) != Text::npos) return i;
        else if (c == '{' || c == '[') depth++;
        else if (c == '}' || c == ']') depth--;
    }
    return text.size();
}

// The values of a list; of an object, its keys and values by turns. Texts keep their quotes.
static std::vector<Text> items(Text list) {
    std::vector<Text> found;
    for (size_t i = 1; i < list.size(); i++) {
        i = std::min(list.find_first_not_of(" \t\r\n", i), list.size());
        size_t end = value_end(list, i);
        if (end > i) found.push_back(list.substr(i, list.find_last_not_of(" \t\r\n", end - 1) + 1 - i));
        i = end;
    }
    return found;
}

static Text field(Text object, Text name) {  // empty if there is no such field
    auto parts = items(object);
    for (size_t i = 0; i + 1 < parts.size(); i += 2)
        if (parts[i].size() == name.size() + 2 && parts[i].substr(1, name.size()) == name) return parts[i + 1];
    return "";
}

// A field that is a name, without its quotes. No name of the protocol has escapes.
static Text name(Text object, Text key) {
    Text text = field(object, key);
    return text.size() >= 2 ? text.substr(1, text.size() - 2) : "";
}

static int seat(Text object, Text key) {  // -1 stands for null, and for "talon" where it plays
    Text text = field(object, key);
    return text.empty() || text[0] < '0' || text[0] > '9' ? -1 : std::atoi(std::string(text).c_str());
}

static bool has(Text list, Text quoted) {
    auto all = items(list);
    return std::find(all.begin(), all.end(), quoted) != all.end();
}

// ---- Cards are numbers: their places in this deck, the strongest of each suit first. ----

using Cards = std::vector<int>;
constexpr int QUEENS = 4, COURTS = 8, TRUMPS = 14, DECK = 26;  // courts: queens and jacks
const std::array<std::string, DECK> NAMES = {
    "QC", "QS", "QH", "QD", "JC", "JS", "JH", "JD", "AD", "TD", "KD", "9D", "8D", "7D",
    "AC", "TC", "KC", "9C", "AS", "TS", "KS", "9S", "AH", "TH", "KH", "9H"};
const int POINTS[DECK] = {3, 3, 3, 3, 2, 2, 2, 2, 11, 10, 4, 0, 0, 0, 11, 10, 4, 0, 11, 10, 4, 0, 11, 10, 4, 0};

static int suit(int c) { return c < TRUMPS ? 0 : 1 + (c - TRUMPS) / 4; }
static bool beats(int a, int b) { return suit(a) == suit(b) ? a < b : a < TRUMPS; }

static int read_card(Text quoted) {  // -1 if it is none
    auto found = std::find(NAMES.begin(), NAMES.end(), quoted.substr(quoted.empty() ? 0 : 1, 2));
    return found == NAMES.end() ? -1 : int(found - NAMES.begin());
}
static Cards read_cards(Text list) {
    Cards cards;
    for (Text item : items(list))
        if (read_card(item) != -1) cards.push_back(read_card(item));
    return cards;
}

// The card with the highest score. A score ends with `+ c` so that of equals the weakest goes.
template <class Score> static int best(const Cards& cards, Score score) {
    return *std::max_element(cards.begin(), cards.end(), [&](int a, int b) { return score(a) < score(b); });
}
static int cheap(int c) {  // few points, and no trump that may be of use
    return c - DECK * (POINTS[c] + (c < QUEENS ? 5 : c < COURTS ? 3 : c < TRUMPS ? 1 : 0));
}
static int rich(int c) { return c + DECK * (c < COURTS ? -1 : POINTS[c]); }

// ---- What the bot remembers of a deal. ----

static int declarer = -1;                // nobody at the table
static bool avoid_tricks = false;        // at the table and in a small solo tricks are bad
static std::array<bool, DECK> seen = {};  // played by anybody, or once in our hand

static void remember(Text message) {
    for (Text event : items(field(message, "events"))) {
        if (name(event, "event") == "deal") seen.fill(false);
        if (name(event, "event") == "contract") {
            declarer = seat(event, "declarer");
            avoid_tricks = declarer == -1 || name(event, "contract") == "small_solo";
        }
        int card = read_card(field(event, "card"));
        if (card != -1) seen[card] = true;
    }
    for (int c : read_cards(field(message, "hand"))) seen[c] = true;
}

// How many cards out of our sight would beat this one in its suit? If none, it is a master.
static int threats(int card) {
    int n = 0;
    for (int c = 0; c < card; c++) n += !seen[c] && suit(c) == suit(card);
    return n;
}
static int harmless(int c) { return c + DECK * threats(c); }
static int dangerous(int c) { return -harmless(c); }

// ---- Decisions: the place for your own ideas. ----

constexpr int ORDINARY = 18, SOLO = 24;  // what a hand must be worth for a bid
const int WORTH[DECK] = {4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 3, 1, 0, 0, 3, 1, 0, 0, 3, 1, 0, 0};

static int worth(const Cards& hand) {
    int sum = 0;
    for (int c : hand) sum += WORTH[c];
    return sum;
}

// Lay aside points and the last card of a suit, but no trump.
static int spare(const Cards& hand) {
    return best(hand, [&](int c) {
        bool alone = std::count_if(hand.begin(), hand.end(), [&](int d) { return suit(d) == suit(c); }) == 1;
        int ace = POINTS[c] == 11 ? 6 : 0;  // an ace may well win a trick by itself
        return c + DECK * (c < TRUMPS ? -20 : POINTS[c] - ace + (alone ? 8 : 0));
    });
}

static int lead(const Cards& legal, bool declaring) {
    if (avoid_tricks) return best(legal, harmless);
    Cards masters;
    for (int c : legal) {
        if (threats(c) > 0) continue;
        if (c >= TRUMPS) masters.push_back(c);
        else if (declaring && threats(TRUMPS - 1) > 0) return c;  // draw trumps while any are out
    }
    return masters.empty() ? best(legal, cheap) : best(masters, rich);
}

static int follow(const Cards& legal, const std::vector<Text>& trick, bool declaring) {
    int top = -1, winner = -1, points = 0, players = 0;
    bool last = false;  // does no opponent come after us?
    for (Text played : trick) {
        int card = read_card(field(played, "card")), who = seat(played, "seat");
        if (card == -1) continue;
        if (top == -1 || beats(card, top)) top = card, winner = who;
        points += POINTS[card];
        players += who != -1;
        last = last || players == 2 || (!declaring && who == declarer);
    }
    Cards winners, losers, sure;
    for (int c : legal) {
        bool wins = top == -1 || beats(c, top);
        (wins ? winners : losers).push_back(c);
        if (wins && (last || threats(c) == 0)) sure.push_back(c);
    }
    if (avoid_tricks && !losers.empty()) return best(losers, dangerous);
    if (avoid_tricks) return best(legal, players == 2 ? dangerous : harmless);
    if (!declaring && winner != declarer)  // our partner's trick: add points if it is safe
        return best(legal, last || (top < TRUMPS && threats(top) == 0) ? rich : cheap);
    if (!sure.empty()) {
        int c = best(sure, rich);
        if (c >= COURTS || points >= 4) return c;  // no queen or jack for an empty trick
    }
    return best(!winners.empty() && points >= 10 ? winners : legal, cheap);  // worth a try?
}

// The field that answers a request; a plain one, if a better one was refused. Empty: no request.
static std::string answer(Text m, bool plain) {
    Text type = name(m, "type"), options = field(m, "legal");
    Cards hand = read_cards(field(m, "hand")), legal = read_cards(options);
    auto quoted = [](const std::string& text) { return "\"" + text + "\""; };
    if (type == "blind") return "\"blind\":false";
    if (type == "surrender") return "\"surrender\":false";
    if (type == "offer")  // a sure win is good, unless this hand may reach 91
        return worth(hand) < SOLO ? "\"accept\":true" : "\"accept\":false";
    if (type == "talon") return !plain && worth(hand) >= SOLO ? "\"choice\":\"give\"" : "\"choice\":\"take\"";
    if (type == "bid") {
        if (!plain && worth(hand) >= SOLO && has(options, "\"solo\"")) return "\"bid\":\"solo\"";
        if (!plain && worth(hand) >= ORDINARY && has(options, "\"ordinary\"")) return "\"bid\":\"ordinary\"";
        return "\"bid\":\"pass\"";
    }
    if (type == "discard" && hand.size() >= 2) {
        int a = spare(hand);  // without it another may be the last of its suit
        hand.erase(std::find(hand.begin(), hand.end(), a));
        return "\"cards\":[" + quoted(NAMES[a]) + "," + quoted(NAMES[spare(hand)]) + "]";
    }
    if (type == "play" && !legal.empty()) {
        auto trick = items(field(m, "trick"));
        bool declaring = seat(m, "seat") == declarer;
        int card = plain ? legal[0] : trick.empty() ? lead(legal, declaring) : follow(legal, trick, declaring);
        return "\"card\":" + quoted(NAMES[card]);
    }
    return "";
}

int main() {
    std::string line, request;  // request: the last line that wanted an answer
    while (std::getline(std::cin, line)) {
        remember(line);
        bool refused = name(line, "type") == "error";
        if (name(line, "type") == "hello")
            std::cout << R"({"type":"ready","protocol":1,"asks":["surrender","offer"]})" << std::endl;
        if (field(line, "id").empty()) continue;
        if (!refused) request = line;
        std::string text = answer(request, refused);
        if (!text.empty())  // std::endl flushes: the output is a pipe, where it would stay else
            std::cout << "{\"type\":" << field(request, "type") << ",\"id\":" << field(request, "id") << "," << text
                      << "}" << std::endl;
    }
}
