// A bot for the Zole Arena in C#, for Mono or .NET, with nothing but the standard library.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

using Fields = System.Collections.Generic.Dictionary<string, object>;

static class Program
{
    static void Main()
    {
        var input = new System.IO.StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
        var output = new System.IO.StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
        output.AutoFlush = true; // each answer must leave at once
        output.NewLine = "\n";
        var player = new Player();
        string line;
        while ((line = input.ReadLine()) != null)
        {
            string answer = player.Answer((Fields)new Json(line).Value());
            if (answer != null) output.WriteLine(answer);
        }
    }
}

/// Remembers the deal, and answers each request.
class Player
{
    // What a hand must be worth for a bid: the first numbers to try others for.
    const int Ordinary = 13, Solo = 21;

    readonly HashSet<string> gone = new HashSet<string>(); // cards that nobody can play any more
    double declarer = -1; // -1 where nobody declares
    string contract = "";
    Fields request;

    public string Answer(Fields message)
    {
        foreach (Fields happened in Json.List(message, "events")) Remember(happened);
        string type = (string)message["type"];
        if (type == "hello") return "{\"type\":\"ready\",\"protocol\":1,\"asks\":[\"surrender\",\"offer\"]}";
        if (type != "error") request = message;
        string said = type == "error" ? Plain(request) : Choose(type);
        return said == null ? null : "{\"type\":\"" + request["type"] + "\",\"id\":" + message["id"] + "," + said + "}";
    }

    void Remember(Fields happened)
    {
        switch ((string)happened["event"])
        {
            case "deal": gone.Clear(); declarer = -1; contract = ""; break;
            case "contract": declarer = (double?)happened["declarer"] ?? -1; contract = (string)happened["contract"]; break;
            case "card": gone.Add((string)happened["card"]); break;
        }
    }

    string Choose(string type)
    {
        switch (type)
        {
            case "blind": return "\"blind\":false";
            case "bid": return Field("bid", Bid());
            case "talon": return Field("choice", Worth(Texts("hand")) >= Solo ? "give" : "take");
            case "discard": return Discard();
            case "surrender": return "\"surrender\":false";
            case "offer": return "\"accept\":true";
            case "play": return Field("card", Play());
            default: return null; // the end of a deal or of the match, or something new
        }
    }

    // An answer was refused: the plainest one there is.
    string Plain(Fields asked)
    {
        switch ((string)asked["type"])
        {
            case "play": return Field("card", Texts("legal").First());
            case "bid": return Field("bid", Texts("legal").First());
            case "discard": return Pair(Texts("hand").Take(2));
            default: return Choose((string)asked["type"]);
        }
    }

    static string Field(string name, string value) { return "\"" + name + "\":\"" + value + "\""; }
    static string Pair(IEnumerable<string> cards) { return "\"cards\":[\"" + string.Join("\",\"", cards) + "\"]"; }
    List<string> Texts(string name) { return Json.List(request, name).Cast<string>().ToList(); }

    /// What a hand is worth to a declarer: its trumps, high ones more, and plain aces.
    static int Worth(List<string> hand)
    {
        return hand.Sum(card => !Cards.IsTrump(card) ? (card[0] == 'A' ? 2 : 0) : card[0] == 'Q' ? 4 : card[0] == 'J' ? 3 : 2);
    }

    string Bid()
    {
        int worth = Worth(Texts("hand"));
        string wish = worth >= Solo ? "solo" : worth >= Ordinary ? "ordinary" : "pass";
        return Texts("legal").Contains(wish) ? wish : "pass";
    }

    /// Points are safe in the discard; trumps only where nothing else is left, and aces late.
    string Discard()
    {
        var cards = Texts("hand").OrderBy(card => Cards.IsTrump(card) ? 2 : card[0] == 'A' ? 1 : 0)
            .ThenByDescending(Cards.Points).Take(2).ToList();
        gone.UnionWith(cards); // no event tells of our own discard
        return Pair(cards);
    }

    string Play()
    {
        List<string> hand = Texts("hand"), legal = Texts("legal");
        var trick = Json.List(request, "trick").Cast<Fields>().ToList();
        if (declarer < 0 || contract == "small_solo") return Avoid(legal, trick);
        double me = (double)request["seat"];
        return trick.Count == 0 ? Lead(me, hand, legal) : Follow(me, hand, legal, trick);
    }

    static Fields Winning(List<Fields> trick)
    {
        return trick.Aggregate((best, laid) => Cards.Beats((string)laid["card"], (string)best["card"]) ? laid : best);
    }

    /// Where tricks are bad: the richest card that loses, else the weakest.
    static string Avoid(List<string> legal, List<Fields> trick)
    {
        var losing = legal.Where(card => trick.Count > 0 && !Cards.Beats(card, (string)Winning(trick)["card"])).ToList();
        return losing.Count > 0 ? losing.OrderBy(Cards.Points).Last() : legal.OrderBy(Cards.Place).Last();
    }

    string Lead(double me, List<string> hand, List<string> legal)
    {
        var sure = legal.Where(card => IsSure(card, hand)).ToList();
        if (sure.Count > 0) return sure.OrderBy(Cards.Points).Last();
        if (me == declarer && legal.Count(Cards.IsTrump) > 3) return legal.First(Cards.IsTrump);
        return Cheapest(legal);
    }

    string Follow(double me, List<string> hand, List<string> legal, List<Fields> trick)
    {
        Fields winning = Winning(trick);
        string best = (string)winning["card"];
        bool last = trick.Count == 2, partner = me != declarer && (double)winning["seat"] != declarer;
        if (partner && (last || IsSure(best, hand))) return legal.OrderBy(Cards.Points).Last();
        var safe = legal.Where(card => Cards.Beats(card, best) && (last || IsSure(card, hand))).ToList();
        return safe.Count > 0 ? safe.OrderBy(Cards.Points).Last() : Cheapest(legal);
    }

    static string Cheapest(List<string> legal)
    {
        return legal.OrderBy(card => Cards.Points(card) + (Cards.IsTrump(card) ? 3 : 0)).ThenByDescending(Cards.Place).First();
    }

    /// Whether nobody else can hold a card that beats this one.
    bool IsSure(string card, List<string> hand)
    {
        return !Cards.Deck.Any(other => !gone.Contains(other) && !hand.Contains(other) && Cards.Beats(other, card));
    }
}

/// Facts about cards, which are a rank and a suit: "QC", "TD", "9H".
static class Cards
{
    const int Trumps = 14;
    public static readonly string[] Deck =
        "QC QS QH QD JC JS JH JD AD TD KD 9D 8D 7D AC TC KC 9C AS TS KS 9S AH TH KH 9H".Split(' ');

    public static int Place(string card) { return Array.IndexOf(Deck, card); }
    public static bool IsTrump(string card) { return Place(card) < Trumps; }

    public static int Points(string card)
    {
        int rank = "JQKTA".IndexOf(card[0]);
        return rank < 0 ? 0 : new[] { 2, 3, 4, 10, 11 }[rank];
    }

    public static bool Beats(string card, string best)
    {
        bool alike = IsTrump(card) == IsTrump(best) && (IsTrump(card) || card[1] == best[1]);
        return alike ? Place(card) < Place(best) : IsTrump(card);
    }
}

/// Reads JSON into dictionaries, lists, texts, numbers, true, false and null.
class Json
{
    readonly string text;
    int at;

    public Json(string text) { this.text = text; }

    public static List<object> List(Fields fields, string name)
    {
        object found;
        return fields.TryGetValue(name, out found) ? found as List<object> ?? new List<object>() : new List<object>();
    }

    public object Value()
    {
        Skip();
        switch (text[at])
        {
            case '"': return Text();
            case '[': return Many(']', new List<object>(), null);
            case '{': var fields = new Fields(); Many('}', null, fields); return fields;
        }
        int from = at;
        while (at < text.Length && ",]} \t\r\n".IndexOf(text[at]) < 0) at++;
        string word = text.Substring(from, at - from);
        if (word == "null") return null;
        if (word == "true" || word == "false") return word == "true";
        return double.Parse(word, CultureInfo.InvariantCulture);
    }

    object Many(char close, List<object> items, Fields fields)
    {
        at++;
        for (Skip(); text[at] != close; Skip())
        {
            if (items != null) items.Add(Value());
            else
            {
                string key = Text();
                Skip();
                at++; // the colon
                fields[key] = Value();
            }
            Skip();
            if (text[at] == ',') at++;
        }
        at++;
        return items;
    }

    string Text()
    {
        var found = new StringBuilder();
        for (at++; text[at] != '"'; at++)
        {
            if (text[at] == '\\') at++; // no text that the bot looks at has an escape
            found.Append(text[at]);
        }
        at++;
        return found.ToString();
    }

    void Skip() { while (char.IsWhiteSpace(text[at])) at++; }
}
