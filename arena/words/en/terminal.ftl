### What only `arena play --terminal` says; all else that it says is in table.ftl.
###
### $who is "you", "talon", or "other" with a $name. $cards, $seats and $pools are lists
### with commas.

## Beginning, and help

# $players: 3, 4 or 5; $names by seat, with commas.
zole-for = Zole for { $players } players: { $names }.
how-to-answer = Type the number of an answer, or a card as qc or 10d; h hint, ? where things stand, c concede as declarer, q leave.
# $time is such as "2 min 5 s".
time-for-answer = You have { $time } for each answer.

## What happens

your-place = { $place ->
    [forehand] You are forehand
    [middlehand] You are middlehand
   *[rearhand] You are rearhand
} in seat { $seat }.
# An event by its name on the wire, with its fields as values.
event-blind = { $blind ->
    [yes] { blind-declared }
   *[no] { blind-not-declared }
}
event-bid = { $bid ->
    [pass] { passes }
   *[other] { bids }
}
event-talon = { $choice ->
    [take] { talon-taken }
   *[give] { talon-given }
}
event-contract = { $contract ->
    [table] { all-pass-table }
    [thrown_in] { all-pass-thrown-in }
   *[other] { plays-against }
}
event-card = { plays-card }
event-trick = { trick-taken }
event-surrender = { gives-up }
event-offer = { offers } { $accepted ->
    [yes] { offer-accepted }
   *[no] { offer-refused }
}
event-fault = { fault-of }
# An owner among those of pools.
pools-of = { $who ->
    [you] { $count } of yours
   *[other] { $count } of { $name }
}
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

# $count are the declarer's points; $more is "yes" where cards that it has laid aside are not seen.
points-so-far = { $who ->
    [you] You have { $count } of 61 points
   *[other] { $name } has { $count } of 61 points
}{ $more ->
    [yes] {" "}without the cards laid aside
   *[no] { "" }
}; the defenders have { $theirs } of 60.
your-hand = Your hand: { $cards }.

## Questions

# The lines of a list of answers.
numbered = { $number }. { $answer }
numbered-from-talon = { $number }. { $answer }, from the talon
no-hint = There is no hint here.
no-such-answer = That is not an answer: type { $wanted ->
    [cards] two numbers, such as 9 10, of the list
   *[answer] a number of the list
}, or ? to repeat it.
will-concede = You concede before the next trick if the rules allow it.
leave-again = Type q again to leave.
