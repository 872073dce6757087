### What only `arena play --terminal` says and reads; all else that it says is in table.ftl.
###
### $who is "you", "talon", or "other" with a $name, which is seat-name. $cards, $seats and $pools are lists
### with commas.

## Beginning, and help

# The $name of a player in all sentences.
seat-name = Seat { $seat }
# $players: 3, 4 or 5.
zole-for = Zole for { $players } players.
how-to-answer = Type a number, the letter beside it or the answer itself, a card also as qc or 10 d; h hint, ? where things stand, c concede, q leave.
# $time is such as "2 min 5 s".
time-for-answer = You have { $time } for each answer.

## What happens

your-place = { $place ->
    [forehand] You are forehand
    [middlehand] You are middlehand
   *[rearhand] You are rearhand
} in seat { $seat }.
# An owner among those of pools.
pools-of = { $who ->
    [you] { $count } of yours
   *[other] { $count } of { $name }
}
# What each took in a table game; $tricks and $points are counts in words.
taken = Taken: { $seats }.
taken-by = { name } { $tricks } ({ $points })
# Stakes of all players.
paid = Paid: { $seats }.
so-far = So far: { $seats }.
stakes-of = { name } { $amount }
# Hands and the like after a deal.
cards-of = { $who ->
    [you] You
    [talon] Talon
    [aside] Laid aside
   *[other] { $name }
}: { $cards }.

## Where things stand

said-in-auction = { $who ->
    [you] You
   *[other] { $name }
}: { word }.
# $count are the declarer's points; $more is "yes" where cards that it has laid aside are not seen.
points-so-far = { $who ->
    [you] You have { $count } of 61 points
   *[other] { $name } has { $count } of 61 points
}{ $more ->
    [yes] {" "}without the cards laid aside
   *[no] { "" }
}; the defenders have { $theirs } of 60.
talon-so-far = The talon has { points }.
last-trick-was = Last trick: { $cards }.
this-trick-is = This trick: { $cards }.
laid-by = { name } { CARD($card) }
your-hand = Your hand: { $cards }.

## Questions

not-allowed = Not allowed now: { $cards }.
lay-aside-two = Lay aside { CARD($card) } and { CARD($second) }
# The lines of a list of answers; $key is the first of an answer's keys.
numbered = { $number }. { $answer }
numbered-with-key = { $number }. { $answer } ({ $key })
numbered-from-talon = { $number }. { $answer }, from the talon
hint-is = Hint: { $answer }.
no-hint = There is no hint here.
# A card that was typed although the one led asks for others.
must-follow = { CARD($card) } is not allowed: { CARD($led) } was led, and you have cards that follow.
no-such-answer = That is not an answer: type { $wanted ->
    [cards] two numbers, such as 9 10, of the list
   *[answer] a number of the list
}, or ? to hear it again.
yes-or-no = Type yes or no.
will-concede = You will concede before the next trick. Type it again to play on.
will-play-on = You will play on.
you-stay = You stay.

## What may be typed, with blanks between; capitals and accents do not matter

# The first is shown. No two that are asked together may share one, nor may one mean in English something else.
answer-keys = { $answer ->
    [pass] p pass
    [ordinary] o ordinary
    [solo] s solo
    [small_solo] m small
    [blind] b blind
    [take] t take
    [give] g give
    [yes] y yes
    [concede] c concede
    [no] n no
   *[offer] o offer
}
