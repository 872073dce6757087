import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.function.*;
import java.util.regex.*;

/** A Zole bot: one JSON object a line comes in, one a line goes out. Your own ideas go into Player. */
public class Bot {
    public static void main(String[] args) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var player = new Player();
        for (String line = in.readLine(); line != null; line = in.readLine()) { // null: the input ended
            String answer = player.answer(new Message(Json.read(line)));
            if (answer == null) continue;
            System.out.print(answer + "\n");
            System.out.flush(); // the arena waits for this
        }
    }
}

/** Remembers the deal and answers requests. */
class Player {
    /** From these strengths of a hand on it bids so: try other numbers. */
    private static final double ORDINARY = 6.2, SOLO = 9;

    private Random chance = new Random(0);
    private Message request; // the last one: an error does not repeat it
    private long declarer = -1; // -1 where nobody declares
    private String contract = "";
    private final Set<String> gone = new HashSet<>(); // cards that nobody can play any more

    String answer(Message message) {
        message.messages("events").forEach(this::remember);
        if (message.text("type").equals("hello")) {
            chance = new Random(message.number("seed")); // so that every match can be repeated
            return "{\"type\":\"ready\",\"protocol\":1,\"name\":\"java\"}";
        }
        boolean again = message.text("type").equals("error") && request != null;
        String choice = again ? choose(request, true) : choose(message, false);
        if (choice == null) return null; // deal_end, bye or something new: nothing is asked
        if (!again) request = message;
        return "{\"type\":\"%s\",\"id\":%d,%s}".formatted(request.text("type"), request.number("id"), choice);
    }

    private void remember(Message event) {
        switch (event.text("event")) {
            case "deal" -> { gone.clear(); declarer = -1; contract = ""; }
            case "contract" -> { declarer = event.number("declarer"); contract = event.text("contract"); }
            case "card" -> gone.add(event.text("card"));
            default -> { } // there will be new events
        }
    }

    /** The answer's own field. Again, after a refusal, nothing clever: the first thing that is allowed. */
    private String choose(Message ask, boolean again) {
        List<String> hand = ask.texts("hand"), legal = ask.texts("legal");
        return switch (ask.text("type")) {
            case "blind" -> "\"blind\":" + (chance.nextInt(8) == 0); // a gamble now and then
            case "bid" -> "\"bid\":\"" + (again ? legal.get(0) : bid(strength(hand), legal)) + "\"";
            case "talon" -> "\"choice\":\"" + (strength(hand) >= SOLO ? "give" : "take") + "\"";
            case "discard" -> "\"cards\":[\"" + String.join("\",\"", discard(hand)) + "\"]";
            case "play" -> "\"card\":\"" + (again ? legal.get(0) : card(ask, hand, legal)) + "\"";
            case "surrender" -> "\"surrender\":false"; // these two come only to bots that ask for them
            case "offer" -> "\"accept\":true";
            default -> null;
        };
    }

    /** How good a hand is: its trumps, and a little more for queens, jacks and plain aces. */
    private static double strength(List<String> hand) {
        return hand.stream().mapToDouble(card -> switch (card.charAt(0)) {
            case 'Q' -> 1.7;
            case 'J' -> 1.4;
            default -> Cards.isTrump(card) ? 1 : card.charAt(0) == 'A' ? 0.7 : 0;
        }).sum();
    }

    private static String bid(double strength, List<String> legal) {
        if (strength >= SOLO && legal.contains("solo")) return "solo";
        if (strength >= ORDINARY && legal.contains("ordinary")) return "ordinary";
        return legal.contains("pass") ? "pass" : legal.get(0);
    }

    /** Banks points and empties a short suit, to trump it later; keeps trumps, and aces if it can. */
    private List<String> discard(List<String> hand) {
        List<String> order = new ArrayList<>(hand);
        order.sort(Comparator.comparingDouble(card -> {
            int inSuit = Cards.only(hand, other -> Cards.suit(other) == Cards.suit(card)).size();
            int bank = card.charAt(0) == 'A' ? 2 : Cards.points(card);
            return Cards.isTrump(card) ? 100 + Cards.value(card) : 4 * inSuit - bank;
        }));
        gone.addAll(order.subList(0, 2)); // no event tells us our own discard
        return order.subList(0, 2);
    }

    private String card(Message ask, List<String> hand, List<String> legal) {
        List<Message> trick = ask.messages("trick");
        // In these games tricks are bad for the one who takes them, or the declarer is to take one.
        if (contract.equals("table") || contract.equals("small_solo")) return dodge(trick, legal);
        long me = ask.number("seat");
        return trick.isEmpty() ? lead(hand, me == declarer) : follow(me, hand, trick, legal);
    }

    private static Message winning(List<Message> trick) {
        return trick.stream().reduce((a, b) -> Cards.beats(b.text("card"), a.text("card")) ? b : a).get();
    }

    /** The strongest card that loses now cannot win later; if all win, the weakest may yet be beaten. */
    private static String dodge(List<Message> trick, List<String> legal) {
        if (trick.isEmpty()) return Cards.least(legal, Cards::strength);
        String best = winning(trick).text("card");
        List<String> losers = Cards.only(legal, card -> !Cards.beats(card, best));
        return losers.isEmpty() ? Cards.least(legal, Cards::strength) : Cards.most(losers, Cards::strength);
    }

    private String lead(List<String> hand, boolean iDeclare) {
        List<String> masters = Cards.only(hand, card -> isMaster(card, hand));
        List<String> trumps = Cards.only(masters, Cards::isTrump);
        List<String> plain = Cards.only(masters, card -> !Cards.isTrump(card));
        boolean trumpsOut = !gone.containsAll(Cards.only(Cards.TRUMPS, card -> !hand.contains(card)));
        // The declarer draws trumps first, so that nobody trumps its aces.
        if (iDeclare && trumpsOut && !trumps.isEmpty()) return Cards.most(trumps, Cards::strength);
        return plain.isEmpty() ? Cards.least(hand, Cards::value) : Cards.most(plain, Cards::points);
    }

    private String follow(long me, List<String> hand, List<Message> trick, List<String> legal) {
        Message winning = winning(trick);
        String best = winning.text("card");
        boolean last = trick.size() == 2;
        boolean declarerPlayed = trick.stream().anyMatch(placed -> placed.number("seat") == declarer);
        boolean partnerWins = me != declarer && winning.number("seat") != declarer;
        // The trick is ours: give it our points, but keep the queens and jacks.
        if (partnerWins && (last || declarerPlayed || isMaster(best, hand)))
            return Cards.most(legal, card -> Cards.isFace(card) ? -Cards.strength(card) : Cards.points(card));
        List<String> winners = Cards.only(legal, card -> Cards.beats(card, best));
        List<String> safe = Cards.only(winners, card -> last || isMaster(card, hand));
        List<String> cheap = Cards.only(safe, card -> !Cards.isFace(card));
        int pot = trick.stream().mapToInt(placed -> Cards.points(placed.text("card"))).sum();
        if (!cheap.isEmpty()) return Cards.most(cheap, Cards::points); // brings its own points home
        if (!safe.isEmpty() && pot >= 3) return Cards.least(safe, Cards::strength);
        if (!winners.isEmpty() && pot >= 10) return Cards.most(winners, Cards::strength); // worth a risk
        return Cards.least(legal, Cards::value);
    }

    /** No other player can hold a stronger card of this suit. */
    private boolean isMaster(String card, List<String> hand) {
        return Cards.DECK.stream()
            .filter(other -> Cards.suit(other) == Cards.suit(card) && Cards.beats(other, card))
            .allMatch(other -> gone.contains(other) || hand.contains(other));
    }
}

/** Facts about cards. A card is its rank and its suit: "QC", "TD", "9H". */
class Cards {
    static final List<String> TRUMPS = List.of("QC QS QH QD JC JS JH JD AD TD KD 9D 8D 7D".split(" "));
    static final List<String> DECK = new ArrayList<>(TRUMPS); // trumps first
    static { DECK.addAll(List.of("AC TC KC 9C AS TS KS 9S AH TH KH 9H".split(" "))); }

    static int points(String card) {
        return Map.of('A', 11, 'T', 10, 'K', 4, 'Q', 3, 'J', 2).getOrDefault(card.charAt(0), 0);
    }
    static boolean isTrump(String card) { return TRUMPS.contains(card); }
    static boolean isFace(String card) { return "QJ".indexOf(card.charAt(0)) >= 0; } // the strong trumps
    static char suit(String card) { return isTrump(card) ? 'D' : card.charAt(1); } // QS is no spade
    static int strength(String card) {
        return isTrump(card) ? 100 - TRUMPS.indexOf(card) : 50 - "ATK9".indexOf(card.charAt(0));
    }
    static boolean beats(String card, String other) {
        return (isTrump(card) || suit(card) == suit(other)) && strength(card) > strength(other);
    }
    /** What giving a card away costs: its points, or the trick that a queen or jack may still win. */
    static double value(String card) { return (isFace(card) ? 7 : points(card)) + strength(card) / 200.0; }
    static List<String> only(List<String> cards, Predicate<String> test) {
        return cards.stream().filter(test).toList();
    }
    static String most(List<String> cards, ToDoubleFunction<String> worth) {
        return Collections.max(cards, Comparator.comparingDouble(worth));
    }
    static String least(List<String> cards, ToDoubleFunction<String> worth) {
        return Collections.min(cards, Comparator.comparingDouble(worth));
    }
}

/** A JSON object, with short ways to its fields. Fields that nobody asks for are ignored. */
record Message(Map<?, ?> fields) {
    Message(Object json) { this((Map<?, ?>) json); }
    String text(String key) { return fields.get(key) instanceof String s ? s : ""; }
    /** A whole number, or -1 where there is none: null is "nobody", and the talon has no seat. */
    long number(String key) { return fields.get(key) instanceof Double d ? d.longValue() : -1; }
    List<?> list(String key) { return fields.get(key) instanceof List<?> l ? l : List.of(); }
    List<String> texts(String key) { return list(key).stream().map(String.class::cast).toList(); }
    List<Message> messages(String key) { return list(key).stream().map(Message::new).toList(); }
}

/** Reads JSON into Map, List, String, Double, Boolean and null. */
class Json {
    /** A string, a bracket, or a word (a number, true, false, null). Commas and colons only separate. */
    private static final Pattern TOKEN =
        Pattern.compile("\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\"|[\\[\\]{}]|[^\\s,:\"\\[\\]{}]+");

    static Object read(String text) {
        Iterator<String> tokens = TOKEN.matcher(text).results().map(MatchResult::group).iterator();
        return value(tokens.next(), tokens);
    }

    private static Object value(String token, Iterator<String> more) {
        return switch (token.charAt(0)) {
            case '{' -> {
                var map = new HashMap<>();
                for (String key = more.next(); !key.equals("}"); key = more.next())
                    map.put(value(key, more), value(more.next(), more));
                yield map;
            }
            case '[' -> {
                var list = new ArrayList<>();
                for (String t = more.next(); !t.equals("]"); t = more.next()) list.add(value(t, more));
                yield list;
            }
            case '"' -> token.substring(1, token.length() - 1); // no text that we use has a backslash
            case 'n' -> null;
            case 't', 'f' -> token.equals("true");
            default -> Double.valueOf(token);
        };
    }
}
