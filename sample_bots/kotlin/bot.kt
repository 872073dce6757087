// A bot for the Zole Arena in Kotlin 1.3 or newer, with nothing but the standard library.

// What a hand must be worth for a bid: the first numbers to try others for.
const val ORDINARY = 13
const val SOLO = 21

val TRUMPS = "QC QS QH QD JC JS JH JD AD TD KD 9D 8D 7D".split(" ")
val DECK = TRUMPS + "AC TC KC 9C AS TS KS 9S AH TH KH 9H".split(" ")
val POINTS = mapOf('A' to 11, 'T' to 10, 'K' to 4, 'Q' to 3, 'J' to 2)

// ---- cards ----

fun points(card: String) = POINTS[card[0]] ?: 0
fun place(card: String) = DECK.indexOf(card)
fun isTrump(card: String) = place(card) < TRUMPS.size
fun suit(card: String) = if (isTrump(card)) '*' else card[1]

fun beats(card: String, best: String) =
    if (suit(card) == suit(best)) place(card) < place(best) else isTrump(card)

/** What a hand is worth to a declarer: its trumps, high ones more, and plain aces. */
fun worth(hand: List<String>) = hand.sumBy {
    when {
        !isTrump(it) -> if (it[0] == 'A') 2 else 0
        it[0] == 'Q' -> 4
        it[0] == 'J' -> 3
        else -> 2
    }
}

/** A JSON object, with short ways to its fields. */
class Fields(private val all: Map<String, Any?>) {
    fun text(name: String) = all[name] as? String ?: ""
    /** A whole number, -1 where there is none: null is "nobody", and the talon has no seat. */
    fun number(name: String) = (all[name] as? Double)?.toInt() ?: -1
    fun texts(name: String) = list(name).map { it as String }
    fun objects(name: String) = list(name).map { it as Fields }
    private fun list(name: String) = all[name] as? List<*> ?: emptyList<Any?>()
}

/** Remembers the deal, and answers each request. */
class Player {
    private val gone = mutableSetOf<String>() // cards that nobody can play any more
    private var declarer = -1 // -1 where nobody declares
    private var contract = ""
    private var request = Fields(emptyMap())

    fun answer(message: Fields): String? {
        message.objects("events").forEach { remember(it) }
        val type = message.text("type")
        if (type == "hello") return """{"type":"ready","protocol":1,"asks":["surrender","offer"]}"""
        if (type != "error") request = message
        val said = (if (type == "error") plain() else choose(type)) ?: return null
        return """{"type":"${request.text("type")}","id":${message.number("id")},$said}"""
    }

    private fun remember(event: Fields) {
        when (event.text("event")) {
            "deal" -> { gone.clear(); declarer = -1; contract = "" }
            "contract" -> { declarer = event.number("declarer"); contract = event.text("contract") }
            "card" -> gone.add(event.text("card"))
        }
    }

    private fun choose(type: String): String? {
        val hand = request.texts("hand")
        return when (type) {
            "blind" -> """"blind":false"""
            "bid" -> """"bid":"${bid(hand)}""""
            "talon" -> """"choice":"${if (worth(hand) >= SOLO) "give" else "take"}""""
            "discard" -> pair(discard(hand))
            "surrender" -> """"surrender":false"""
            "offer" -> """"accept":true"""
            "play" -> """"card":"${card(hand)}""""
            else -> null // the end of a deal or of the match, or something new
        }
    }

    /** An answer was refused: the plainest one there is. */
    private fun plain() = when (request.text("type")) {
        "play" -> """"card":"${request.texts("legal")[0]}""""
        "bid" -> """"bid":"${request.texts("legal")[0]}""""
        "discard" -> pair(request.texts("hand").take(2))
        else -> choose(request.text("type"))
    }

    private fun pair(cards: List<String>) = """"cards":["${cards[0]}","${cards[1]}"]"""

    private fun bid(hand: List<String>): String {
        val worth = worth(hand)
        val wish = if (worth >= SOLO) "solo" else if (worth >= ORDINARY) "ordinary" else "pass"
        return if (wish in request.texts("legal")) wish else "pass"
    }

    /** Points are safe in the discard; trumps only where nothing else is left, and aces late. */
    private fun discard(hand: List<String>): List<String> {
        val order = compareBy<String> { if (isTrump(it)) 2 else if (it[0] == 'A') 1 else 0 }
        val cards = hand.sortedWith(order.thenByDescending { points(it) }).take(2)
        gone.addAll(cards) // no event tells of our own discard
        return cards
    }

    private fun card(hand: List<String>): String {
        val legal = request.texts("legal")
        val trick = request.objects("trick")
        if (declarer < 0 || contract == "small_solo") return avoid(legal, trick)
        return if (trick.isEmpty()) lead(hand, legal) else follow(hand, legal, trick)
    }

    private fun winning(trick: List<Fields>) =
        trick.reduce { best, laid -> if (beats(laid.text("card"), best.text("card"))) laid else best }

    /** Where tricks are bad: the richest card that loses, else the weakest. */
    private fun avoid(legal: List<String>, trick: List<Fields>): String {
        val losing = legal.filter { trick.isNotEmpty() && !beats(it, winning(trick).text("card")) }
        return losing.maxBy { points(it) } ?: legal.maxBy { place(it) }!!
    }

    private fun lead(hand: List<String>, legal: List<String>): String {
        val sure = legal.filter { isSure(it, hand) }
        if (sure.isNotEmpty()) return sure.maxBy { points(it) }!!
        val trumps = legal.filter { isTrump(it) }
        return if (request.number("seat") == declarer && trumps.size > 3) trumps[0] else cheapest(legal)
    }

    private fun follow(hand: List<String>, legal: List<String>, trick: List<Fields>): String {
        val winning = winning(trick)
        val best = winning.text("card")
        val last = trick.size == 2
        val partner = request.number("seat") != declarer && winning.number("seat") != declarer
        if (partner && (last || isSure(best, hand))) return legal.maxBy { points(it) }!!
        val safe = legal.filter { beats(it, best) && (last || isSure(it, hand)) }
        return safe.maxBy { points(it) } ?: cheapest(legal)
    }

    private fun cheapest(legal: List<String>) =
        legal.minBy { 100 * (points(it) + (if (isTrump(it)) 3 else 0)) - place(it) }!!

    /** Whether nobody else can hold a card that beats this one. */
    private fun isSure(card: String, hand: List<String>) =
        DECK.none { it !in gone && it !in hand && beats(it, card) }
}

/** Reads JSON into objects, lists, texts, numbers, true, false and null. */
class Json(private val text: String) {
    private var at = 0

    fun value(): Any? {
        skip()
        return when (text[at]) {
            '"' -> quoted()
            '[' -> mutableListOf<Any?>().also { found -> many(']') { found.add(value()) } }
            '{' -> Fields(mutableMapOf<String, Any?>().also { found -> many('}') { member(found) } })
            else -> word()
        }
    }

    private fun many(close: Char, one: () -> Unit) {
        at++
        skip()
        while (text[at] != close) {
            one()
            skip()
            if (text[at] == ',') at++
            skip()
        }
        at++
    }

    private fun member(found: MutableMap<String, Any?>) {
        val name = quoted()
        skip()
        at++ // the colon
        found[name] = value()
    }

    private fun word(): Any? {
        val from = at
        while (at < text.length && text[at] !in ",]} \t\r\n") at++
        val word = text.substring(from, at)
        return if (word == "null") null else if (word == "true" || word == "false") word == "true" else word.toDouble()
    }

    private fun quoted(): String {
        val found = StringBuilder()
        at++
        while (text[at] != '"') {
            if (text[at] == '\\') at++ // no text that the bot looks at has an escape
            found.append(text[at++])
        }
        at++
        return found.toString()
    }

    private fun skip() {
        while (text[at].isWhitespace()) at++
    }
}

fun main() {
    val player = Player()
    System.`in`.bufferedReader().forEachLine { line ->
        val answer = player.answer(Json(line).value() as Fields)
        if (answer != null) {
            print(answer + "\n")
            System.out.flush() // the arena waits for this
        }
    }
}
