### What only `arena play --terminal` says and reads; all else that it says is in table.ftl.
###
### $who is "you", "talon", or "other" with a $name, which is seat-name. $cards, $seats and $pools are lists
### with commas.
###
### Not yet read over by a native player. Terms: as in table.ftl.

## Beginning, and help

# The $name of a player in all sentences.
seat-name = { $seat }. vieta
# $players: 3, 4 or 5.
zole-for = Zole { $players } spēlētājiem.
how-to-answer = Rakstiet numuru, burtu aiz tā vai pašu atbildi, kārti arī kā qc vai 10 d; h: padoms, ?: kāds ir stāvoklis, pad: padoties, q: aiziet.
# $time is such as "2 min 5 s".
time-for-answer = Katrai atbildei jums ir { $time }.

## What happens

your-place = { $place ->
    [forehand] Jums pirmā roka
    [middlehand] Jums otrā roka
   *[rearhand] Jums trešā roka
}, jūs sēžat { $seat }. vietā.
# An owner among those of pools.
pools-of = { $who ->
    [you] jums { $count }
   *[other] { $name }: { $count }
}
# What each took in a table game; $tricks and $points are counts in words.
taken = Paņemts: { $seats }.
taken-by = { name } – { $tricks } ({ $points })
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

said-in-auction = { $who ->
    [you] Jūs
   *[other] { $name }
}: { word }.
# $count are the declarer's points; $more is "yes" where cards that it has laid aside are not seen.
points-so-far = { $who ->
    [you] Jums ir { $count } no 61 acs
   *[other] Lielajam ({ $name }) ir { $count } no 61 acs
}{ $more ->
    [yes] {" "}bez noraktajām kārtīm
   *[no] { "" }
}; mazajiem { $theirs } no 60 acīm.
talon-so-far = Galdam ir { points }.
last-trick-was = Pēdējais stiķis: { $cards }.
this-trick-is = Šis stiķis: { $cards }.
laid-by = { name } – { CARD($card) }
your-hand = Jūsu kārtis: { $cards }.

## Questions

not-allowed = Tagad neder: { $cards }.
lay-aside-two = Norakt { CARD($card, case: "accusative") } un { CARD($second, case: "accusative") }
# The lines of a list of answers; $key is the first of an answer's keys.
numbered = { $number }) { $answer }
numbered-with-key = { $number }) { $answer } ({ $key })
numbered-from-talon = { $number }) { $answer }, no galda
hint-is = Padoms: { $answer }.
no-hint = Te padoma nav.
must-follow = { CARD($card) } tagad neder: izgāja ar { CARD($led, case: "accusative") }, un jāliek tā pati krāsa.
no-such-answer = Tā nav atbilde: rakstiet { $wanted ->
    [cards] divus saraksta numurus, piemēram, 9 10
   *[answer] saraksta numuru
}, vai ?, lai to parādītu vēlreiz.
yes-or-no = Rakstiet jā vai nē.
will-concede = Jūs padosieties pirms nākamā stiķa. Uzrakstiet to vēlreiz, lai spēlētu tālāk.
will-play-on = Jūs spēlēsiet tālāk.
you-stay = Jūs paliekat.

## What may be typed, with blanks between; capitals and accents do not matter

# The first is shown. No two that are asked together may share one, nor may one mean in English something else.
answer-keys = { $answer ->
    [pass] g garām
    [ordinary] n ņemu ņemt lielais spēlēju
    [solo] z zole
    [small_solo] m mazā
    [blind] a aklā
    [take] n ņemu ņemt
    [give] a atdodu atdot
    [yes] j jā
    [concede] pad padoties
    [no] n nē
   *[offer] p piedāvāju piedāvāt
}
