### What only `arena play --terminal` says; all else that it says is in table.ftl.
###
### $who is "you", "talon", or "other" with a $name. $cards, $seats and $pools are lists
### with commas.
###
### Not yet read over by a native player. Terms: as in table.ftl.

## Beginning, and help

# $players: 3, 4 or 5; $names by seat, with commas.
zole-for = Zole { $players } spēlētājiem: { $names }.
how-to-answer = Rakstiet atbildes numuru vai kārti kā qc vai 10d; h: padoms, ?: kāds ir stāvoklis, c: padoties kā lielajam, q: aiziet.
# $time is such as "2 min 5 s".
time-for-answer = Katrai atbildei jums ir { $time }.

## What happens

your-place = { $place ->
    [forehand] Jums pirmā roka
    [middlehand] Jums otrā roka
   *[rearhand] Jums trešā roka
}, jūs sēžat { $seat }. vietā.
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
    [you] jums { $count }
   *[other] { $name }: { $count }
}
# Stakes of all players.
paid = Punkti: { $seats }.
so-far = Punkti kopā: { $seats }.
stakes-of = { name } { $amount }
# Hands and the like after a deal.
cards-of = { $who ->
    [you] Jūs
    [talon] Galds
    [aside] Norakts
   *[other] { $name }
}: { $cards }.

## Where things stand

# $count are the declarer's points; $more is "yes" where cards that it has laid aside are not seen.
points-so-far = { $who ->
    [you] Jums ir { $count } no 61 acs
   *[other] Lielajam ({ $name }) ir { $count } no 61 acs
}{ $more ->
    [yes] {" "}bez noraktajām kārtīm
   *[no] { "" }
}; mazajiem { $theirs } no 60 acīm.
your-hand = Jūsu kārtis: { $cards }.

## Questions

# The lines of a list of answers.
numbered = { $number }) { $answer }
numbered-from-talon = { $number }) { $answer }, no galda
no-hint = Te padoma nav.
no-such-answer = Tā nav atbilde: rakstiet { $wanted ->
    [cards] divus saraksta numurus, piemēram, 9 10
   *[answer] saraksta numuru
}, vai ?, lai to parādītu vēlreiz.
will-concede = Jūs padosieties pirms nākamā stiķa, ja noteikumi to ļauj.
leave-again = Lai aizietu, rakstiet q vēlreiz.
