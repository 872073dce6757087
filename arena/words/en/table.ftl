### What people read at a table, in a replay and in a terminal.
###
### $who says who does something: "you", "talon", or "other" with a $name. { CARD($card) } is a card,
### in the case that is asked for: { CARD($card, case: "accusative") } is made by the message card.

## Cards

suit = { $suit ->
    [clubs] clubs
    [spades] spades
    [hearts] hearts
   *[diamonds] diamonds
}
rank = { $rank ->
    [ace] ace
    [king] king
    [queen] queen
    [jack] jack
    [ten] ten
    [nine] nine
    [eight] eight
   *[seven] seven
}
card = { rank } of { suit }
# What stands in a card's corner.
index = { $rank ->
    [ace] A
    [king] K
    [queen] Q
    [jack] J
    [ten] 10
    [nine] 9
    [eight] 8
   *[seven] 7
}
card-face-down = a card face down

## Who, and where

place = { $place ->
    [you] You
    [left] Left
    [right] Right
    [across] Across
    [far-left] Far left
   *[far-right] Far right
}
# Two bots have the same name.
name-and-place = { $name } ({ $place ->
    [left] left
    [right] right
    [across] across
    [far-left] far left
   *[far-right] far right
})
# The name of a player within a sentence.
name = { $who ->
    [you] you
    [talon] the talon
   *[other] { $name }
}

## Games

game = { $game ->
    [ordinary] ordinary game
    [solo] solo
    [small_solo] small solo
    [blind] blind solo
    [table] table game
   *[thrown_in] thrown in
}
a-game = { $game ->
    [ordinary] an ordinary game
    [solo] a solo
    [small_solo] a small solo
    [blind] a blind solo
    [table] a table game
   *[thrown_in] a deal that is thrown in
}
no-game = no game
# What somebody said in the auction, as it stands beside the name.
word = { $word ->
    [pass] pass
    [ordinary] ordinary
    [solo] solo
    [small_solo] small solo
    [blind] blind
    [take] takes the talon
   *[give] gives the talon away
}

# An answer in a list of moves.
answer-word = { $word ->
    [pass] pass
    [ordinary] ordinary
    [solo] solo
    [small_solo] small solo
    [blind] blind
    [take] take
    [give] give
    [yes] yes
    [no] no
   *[offer] offer
}

## What happens

points = { $count ->
    [one] { $count } point
   *[other] { $count } points
}
tricks = { $count ->
    [one] { $count } trick
   *[other] { $count } tricks
}
cards = { $count ->
    [one] { $count } card
   *[other] { $count } cards
}
stakes = { $count ->
    [one] { $amount } stake
   *[other] { $amount } stakes
}
deal-number = deal { $deal }
dealing = { $who ->
    [you] You deal.
   *[other] { $name } deals.
}
you-sit-out = You sit out this deal.
forehand-is = { $who ->
    [you] You are forehand.
   *[other] { $name } is forehand.
}
deal-begins = Deal { $deal }.
blind-declared = { $who ->
    [you] You declare a blind game.
   *[other] { $name } declares a blind game.
}
blind-not-declared = { $who ->
    [you] You look at your cards.
   *[other] { $name } looks at its cards.
}
passes = { $who ->
    [you] You pass.
   *[other] { $name } passes.
}
bids = { $who ->
    [you] You bid
   *[other] { $name } bids
} { $bid ->
    [ordinary] ordinary
    [solo] solo
    [small_solo] small solo
   *[blind] blind
}.
talon-taken = { $who ->
    [you] You take the talon.
   *[other] { $name } takes the talon.
}
talon-given = { $who ->
    [you] You give the talon away.
   *[other] { $name } gives the talon away.
}
plays-against = { $who ->
    [you] You play { a-game } against the others.
   *[other] { $name } plays { a-game } against the others.
}
all-pass-table = All pass: a table game, in which one takes few tricks.
all-pass-thrown-in = All pass: thrown in.
plays-card = { $who ->
    [you] You play the { CARD($card) }.
    [talon] The talon plays the { CARD($card) }.
   *[other] { $name } plays the { CARD($card) }.
}
lays-aside = { $who ->
    [you] You lay aside the { CARD($card) } and the { CARD($second) }.
   *[other] { $name } lays aside the { CARD($card) } and the { CARD($second) }.
}
# $count are the points of the trick, $trick is its number.
trick-taken = { $who ->
    [you] Trick { $trick } is yours, { points }.
    [talon] Trick { $trick } is the talon’s, { points }.
   *[other] Trick { $trick } is { $name }’s, { points }.
}
gives-up = { $who ->
    [you] You concede.
   *[other] { $name } concedes.
}
offers = { $who ->
    [you] You offer to concede.
   *[other] { $name } offers to concede.
}
offer-accepted = The declarer accepts.
offer-refused = The declarer plays on.
# $fault and $detail are the arena's own words.
fault-of = { $who ->
    [you] Your fault: { $fault }, { $detail }.
   *[other] Fault of { $name }: { $fault }, { $detail }.
}
plays-on = { $who ->
    [you] You play on.
   *[other] { $name } plays on.
}

## At the table

table = The table
declarer = declarer
dealer = dealer
forehand = forehand
sits-out = sits out
talon = talon
laid-aside = laid aside
the-trick = The trick
led = led
you-lead-here = you lead
your-card-here = your card
the-auction = The auction
table-game = Table game
thrown-in = Thrown in
game-declared = { $who ->
    [you] { $game ->
        [ordinary] Ordinary game, you are the declarer
        [solo] Solo, you are the declarer
        [small_solo] Small solo, you are the declarer
       *[blind] Blind solo, you are the declarer
    }
   *[other] { $game ->
        [ordinary] Ordinary game, { $name } is the declarer
        [solo] Solo, { $name } is the declarer
        [small_solo] Small solo, { $name } is the declarer
       *[blind] Blind solo, { $name } is the declarer
    }
}
# Points of one side, and how many it needs; $more is "yes" where cards are not seen that count for it.
declarer-has = { $who ->
    [you] You
   *[other] { $name }
} { $count }{ $more ->
    [yes] +
   *[no] { "" }
} of 61
needs-points = { $count ->
    [0] { $name } has the 61 points.
    [one] { $name } needs { $count } more point.
   *[other] { $name } needs { $count } more points.
}
side-has = { $side ->
    [others] the others
    [yours] your side
   *[defenders] defenders
} { $count } of 60
on-the-table = { $count } on the table
may-take-none = { $who ->
    [you] You may take no trick
   *[other] { $name } may take no trick
}
talon-has = talon { points }
pools = pools: { $pools }
pools-collective = { $count } collective

## Questions

your-turn-to-bid = Your turn to bid.
ask-blind = Declare a blind game, before you see your cards?
ask-talon = Take the talon and lay two cards aside, or give it to the others and play a solo?
ask-discard = You have the talon. Choose two cards to lay aside.
ask-offer = { $name } offers to concede: you would win as with 61 to 90 points. Accept?
ask-lead = Your turn: you lead.
ask-card = Your turn: { $who ->
    [talon] the talon
   *[other] { $name }
} led the { CARD($card) }.
answer-blind = { $blind ->
    [yes] Declare blind
   *[no] Look at the cards
}
# The buttons of an auction; $next is "yes" where the talon is decided afterwards.
answer-bid = { $bid ->
    [pass] Pass
    [ordinary] Play
    [solo] Solo
    [small_solo] Small solo
   *[blind] Blind solo
}
# What a bid means, below it.
answer-bid-more = { $bid ->
    [ordinary] { $next ->
        [yes] the talon is decided next
       *[no] take the talon
    }
    [solo] without the talon
   *[small_solo] take no trick
}
# Before two rows of stakes: what a game pays, and what it costs.
tile-pays = Stakes from each opponent if you win, and to each if you lose:
answer-talon = { $choice ->
    [take] Take the talon
   *[give] Give it away, play solo
}
answer-play-on = Play on
answer-give-up = Concede
answer-accept = Accept
answer-offer = Concede
lay-aside = Lay aside { $cards }
choose-more = { $count ->
    [one] { $count } more to choose
   *[other] { $count } more to choose
}
why-not-trumps = Trumps were led, and you have one: queens, jacks and diamonds are trumps.
why-not-suit = { $suit ->
    [clubs] Clubs
    [spades] Spades
   *[hearts] Hearts
} were led, and you have one.{ $trump ->
    [yes] {" "}The { CARD($card) } is a trump.
   *[no] { "" }
}
refused = The answer was refused: { $why }. Choose again.
on-at-once = Tap or press Space to continue.
other-tab-asked = The other tab is asked.
waiting-for = Waiting for { $name } …
invite-friends = Invite your friends
invite-helps = Each link opens one seat. The first deal begins once everybody has come.
waiting-for-others = Waiting for the others …
waiting-for-deal = Waiting for the first deal …
thinking = Thinking …
hint-by-review = Hint

## The table's page

you = You { $stakes }
your-turn-title = ● Your turn - Zole
settings = Settings
keys = Keys
help = Help
trumps = Trumps
trumps-elsewhere = { $count ->
    [one] { $count } trump is in other hands.
   *[other] { $count } trumps are in other hands.
}
# Of a card, in the list of all: what has become of it.
card-gone = , gone
card-yours = , yours
help-trumps = Trumps, highest first
help-suits = Other suits, highest first
help-points = Points of the cards
help-points-each = ace 11, ten 10, king 4, queen 3, jack 2, others 0; 120 in all
help-rules = How to play Zole
leave = Leave
close = Close
stay = Stay
connecting = Connecting …
your-cards = Your cards
nearest-hand = The nearest hand
what-is-asked = What is asked
last-trick = Last trick
hint = Hint
give-up-later = You concede before the next trick if the rules allow it
another-tab = Another tab or window plays this seat; this one follows.
play-here = Play here
connection-lost = The connection is lost. Trying again …
answered-already = That question was answered already, or its time was up.
answer-lost = The answer has not arrived yet. It is sent again until it does.
leaving-lost = Leaving did not get through. Try again.
site-silent = The site does not answer. Try again.
not-taken = The server did not take it.
your-time = Your time
seconds-left = { $count ->
    [one] { $count } second left
   *[other] { $count } seconds left
}
leave-title = Leave the match?
leave-guest = You cannot come back to this table. It counts for nobody, and there is another whenever you like.
leave-person = You cannot come back: your seat loses this deal, and each deal to come in which it is asked something, as a bot does whose program has ended.
browser-keeps = This browser keeps what you choose.
setting-language = Language
setting-pace = Others play
setting-deck = Cards
setting-sound = Sound of cards
choice = { $choice ->
    [briskly] briskly
    [calmly] calmly
    [at-once] at once
    [four-colours] four colours
    [classic] classic
    [large-index] large index
    [off] off
   *[on] on
}
key-move = to the card or answer before or after
key-enter = play that card, give that answer; at a deal’s end: the next deal
key-space = on at once, while others play or a trick is looked at
key-number = the card or answer of that number
key-trumps = trumps, points and what a game pays
key-last-trick = the last trick again, or back to this one
key-hint = a hint, marked in the log
key-offer = concede, as a defender where the rules allow it: the declarer may refuse
key-give-up = concede before the next trick, as the declarer where the rules allow it
key-help = this help

## The score sheet

score-sheet = Score sheet
deal = deal
deals-listed = The deals
now = now
in-the-pools = In the pools: { $pools }.
what-happened = What happened
this-deal = This deal
what-it-pays = What it pays
this-game-pays = This game pays
declarer-takes = the declarer takes
from-each = from each
level = { $level ->
    [all_tricks] all tricks
    [ge91] 91 points or more
    [ge61] 61 to 90 points
    [from_31] 31 to 60 points
    [le30] 30 points or fewer
    [no_tricks] no trick
    [made] no trick: made
   *[lost] a trick: lost
}
most-tricks-pay = { $count ->
    [one] The player who takes the most tricks pays { $count } stake to each other player.
   *[other] The player who takes the most tricks pays { $count } stakes to each other player.
}
fewest-tricks-win = { $count ->
    [one] The player who takes the fewest tricks is paid { $count } stake by each other player.
   *[other] The player who takes the fewest tricks is paid { $count } stakes by each other player.
}

## The end of a deal, and of a match

deal-over = The deal is over
deal-won = { $count ->
    [one] Deal { $deal }: you win { $count } stake
   *[other] Deal { $deal }: you win { $count } stakes
}
deal-lost = { $count ->
    [one] Deal { $deal }: you pay { $count } stake
   *[other] Deal { $deal }: you pay { $count } stakes
}
deal-even = Deal { $deal }: you win and pay nothing
deal-sat-out = Deal { $deal }: you sat out
# What is shown of a deal that is over.
part = { $part ->
    [result] Result
    [tricks] Tricks
    [review] Review
   *[same] Same cards
}
levels-play = Bots of all levels are playing these cards …
levels-silent = No bot plays these cards now.
same-cards-told = The same cards in your seat, played by bots of each level:
try-again-here = Try again from here
play-these-again = Play these cards again
strength = { $level ->
    [beginner] Beginner
    [club] Club player
    [strong] Strong player
   *[master] Master
}
# $day is a date, $amount stakes with their sign.
day-result = Deal of the day, { $day }: { $amount }.
day-first = You are the first.
day-better-than = { $count ->
    [one] Better than { $share } % of { $count } other.
   *[other] Better than { $share } % of { $count } others.
}
to-the-end = To the end of the match
trick-before = The trick before
trick-after = The next trick
next-deal = Next deal
what-it-paid = What it paid
seat = seat
in-all = in all
looking-for-better = Looking for what would have been better …
what-would-be-better = What would have been better
no-mistake = By what you knew, no answer of yours was a clear mistake.
better = { $best } instead of { $given }, worth { $loss } stakes more on average.
where-deal = Deal { $deal }
where-trick = Trick { $trick }
ask = { $ask ->
    [blind] blind
    [bid] bid
    [talon] talon
    [discard] discard
    [surrender] surrender
    [offer] offer
   *[play] play
}
dearest-moments = Your costliest moments
match-over = The match is over
match-won = { $count ->
    [one] The match is over: you have won { $count } stake.
   *[other] The match is over: you have won { $count } stakes.
}
match-lost = { $count ->
    [one] The match is over: you have lost { $count } stake.
   *[other] The match is over: you have lost { $count } stakes.
}
match-even = The match is over: you are even.
you-have-left = You have left.
disqualified = Your seat had too many faults: it was disqualified.
play-again = Play again
other-bots = Other bots
the-standings = The standings
may-close = You may close this page. A match that was kept with { $record } is shown again by { $replay }.
this-table = This table
you-play-against = You play against { $names }, for nothing but honour.
watch = watch
friends-may-watch = Friends may { $watch }: they see what all at the table see, and the hands once a deal is over.
see-it-again = See it again
see-again-card-by-card = { $link }, card by card.
share = Share
address-copied = The address is copied.
the-log = The log
log-is-yours = { $link } is yours: { $command } shows it. Both are kept here for a month.

## The guided first deals: at most 15 words at a time

coach = Coach
go-on = Next
skip = Skip
learn = Learn in two minutes
learnt = You know enough to play
learnt-helps = The table marks the cards that you may play, and gives a hint when you ask.
start-playing = Play now
rules-in-full = The rules in full
anna = Anna
juris = Juris
coach-cards = These are your eight cards. Anna and Juris have eight cards each, too.
coach-trumps = Queens, jacks and all diamonds are trumps. They beat every other card.
coach-suits = The rest are plain suits. In each, the order is ace, ten, king, nine.
coach-few = Each player lays a card: that is a trick. Now, take as few as possible!
coach-lead-low = You begin. Play the nine of spades: somebody will beat it.
coach-lead-lower = That may take the trick. Begin with the low nine of spades.
coach-suit-first = Trumps later! First try a plain suit: begin with the nine of spades.
coach-no-ace = Nothing beats an ace but a trump. Begin with the low nine.
coach-highest = The ten is the highest spade here: Anna takes the trick and leads next.
coach-follow = Hearts were led: you must follow with a heart. The ace beats your ten.
coach-ten-first = Either loses to the ace. Throw the ten: it takes tricks more easily.
coach-void = You have no clubs, so any card is allowed. Get rid of your ace!
coach-trump-takes = A trump would take this trick, and you want none. Throw your ace.
coach-ace-first = The ace takes tricks more easily than the king. Throw the ace first.
coach-trump-led = Trumps were led. Queens beat jacks, jacks beat diamonds: your nine is safe.
coach-lower-later = That is safe, too. But keep the lowest for later: play the nine.
coach-queen-takes = Queens beat jacks, so that would take the trick. Play the nine.
coach-trumped = Anna has no clubs left: her trump beats the king. The rest plays by itself.
coach-end-few = Anna took most tricks: she pays two stakes to each of you.
coach-partners = Now Anna has bid and plays alone. You and Juris are partners against her.
coach-points = Cards have points: ace 11, ten 10, king 4, queen 3, jack 2, others none.
coach-sides = Anna needs 61 of the 120 points. You and Juris need 60.
coach-lead-ace = Lead your ace: no other club beats it, and it is worth 11 points.
coach-why-ace = Your ace brings more: only a trump can beat it. Lead the ace.
coach-partner-gave = Juris added his ten for you: together you have { points }.
coach-lead-nothing = Now lead the nine of hearts: if you lose it, you lose nothing.
coach-why-nothing = Trumps take tricks later: keep them. The nine of hearts costs you nothing.
coach-other-nine = That is worth nothing, too. But try another suit first: lead the nine of hearts.
coach-give = Juris has this trick with the highest trump. Give him your ten!
coach-partner-has-it = Your partner already has this trick: give it the ten.
coach-take = You have no spades, so you may trump. Take it with your jack!
coach-jack-safer = Good idea, but a higher trump is safer here. Take it with the jack.
coach-trump-it = Then Anna would take the trick. Beat it with your jack.
coach-took = Your trump beats even Anna’s ace. You and Juris have { points }.
coach-defended = { points }: Anna cannot reach 61 any more. You and Juris have won!
coach-end-defended = Anna missed 61 points: she pays two stakes to each of you.
coach-strong = Now you: five trumps, the two highest among them, and an ace. Strong!
coach-bid = Bid the ordinary game: you get two cards and need 61 points, all alone.
coach-too-strong = Cards as strong as these are worth a bid. Bid the ordinary game!
coach-no-solo = A solo goes without the two extra cards. Here the ordinary game is safer.
coach-discard = Two cards are new: now lay two aside. Ten and king count { $count } for you.
coach-why-hearts = Better the ten and king of hearts: their points are safe, and hearts gone.
coach-draw = Lead your highest trump: everyone who has trumps must play one.
coach-why-draw = First draw their trumps, so that they cannot beat your ace: the queen of clubs.
coach-highest-first = That is nearly as good. But begin with the highest: the queen of clubs.
coach-draw-again = { points } so far. Once more: now the queen of spades is highest.
coach-why-again = Anna and Juris still have trumps. Lead the queen of spades first.
coach-cash = A ten fell: { points }. Now lead your ace of spades!
coach-why-cash = The ace is worth more now: both still have to follow with a spade.
coach-made = { points }: 61 are enough. You have won!
coach-end-made = Both pay you one stake. With 91 points, they would pay two.

## What came of a deal

result-none = No game was declared.
result-table = All passed: a table game.
result-thrown-in = All passed: thrown in.
# $tricks and $points are counts in words.
result-talon = The talon took { points } in { $tricks }.
# $end says how it ended for the declarer.
result-declared = { $who ->
    [you] You declared { a-game } and took { $took }
   *[other] { $name } declared { a-game } and took { $took }
}{ $end ->
    [won] : won.
    [lost] : lost.
   *[none] .
}
result-forfeit = { $who ->
    [you] You declared { a-game } and took { $took }
   *[other] { $name } declared { a-game } and took { $took }
}{ $end ->
    [won] : it counts as won because { $failed } failed.
   *[lost] : it counts as lost because { $failed } failed.
}
took-points = { points } in { $tricks }, the defenders { $theirs }
no-trick = no trick
result-fault = Fault of { $name }: { $fault ->
    [timeout] out of time
    [exited] gone
    [illegal] not allowed
    [malformed] unreadable
   *[other] { $fault }
}.
match-over-plain = The match is over.
where-ask = { $ask ->
    [blind] Blind
    [bid] Bid
    [talon] Talon
    [discard] Discard
    [surrender] Surrender
    [offer] Offer
   *[play] Play
}
column-points = points
column-tricks = tricks
column-stakes = stakes

## A replay

match-title = { $league }, match { $match }
deal-of = deal { $deal } of { $most }
deal-shown-of = deal { $deal } ({ $place } of { $most } shown here)
after-deals = { $count ->
    [one] after { $count } deal
   *[other] after { $count } deals
}
in-deals-shown = { $count ->
    [one] in the first { $count } deal shown here
   *[other] in the first { $count } deals shown here
}
stakes-over = stakes { $deals }
rules-players = { $count ->
    [one] { $count } player, { $games }
   *[other] { $count } players, { $games }
}
rules-all-pass = { $allpass ->
    [table] all pass: table
    [pool] all pass: pool
    [redeal] all pass: redeal
   *[other] all pass: { $allpass }
}
rules-pools = with pools
rules-and-isolation = { $rules }; isolation: { $level }
no-deal-played = No deal was played in this match.
# What a bot is asked, as a mark beside its name.
asked = asked: { ask }
is-asked = { $name } is asked { $ask ->
    [blind] whether it plays blind
    [bid] to bid
    [talon] about the talon
    [discard] to lay two cards aside
    [play] to play
    [surrender] whether it surrenders
   *[offer] whether it accepts
}.
no-answer = { $name } gives no answer.
answers = { $name } answers { $answer }.
seat-sits-out = Seat { $seat } sits out: it learns the result at the end of the deal.
no-fault-before = No fault before this.
no-fault-after = No fault after this.
fault-unknown = Seat { $seat } does not know whether a fault comes: A looks from all seats.
mistake-unknown = Seat { $seat } does not know whether a mistake comes: A looks from all seats.
no-mistake-of-seat = No clear mistake of seat { $seat } before this.
no-mistake-before = { $all ->
    [yes] No clear mistake before this.
   *[no] No clear mistake before this in the deals that have been reviewed.
}
no-mistake-after = { $all ->
    [yes] No clear mistake after this.
   *[no] No clear mistake after this in the deals that have been reviewed.
}
result-unknown = Seat { $seat } learns the result when the deal is over: A looks from all seats.
result-is-shown = The result is shown.
future-is-hidden = What is still to come is hidden.
deal-is-over = The deal is over.
match-is-over = The match is over.

## What can be done in a replay

trick-back = a trick back
card-back = a card back
play-or-pause = play or pause
card-on = a card on
trick-on = a trick on
deal-back = a deal back
deal-begin = the deal’s beginning
deal-end = the deal’s end
deal-on = a deal on
fault-back = the fault before
fault-on = the next fault
mistake-back = the clear mistake before
mistake-on = the next clear mistake
show-result = show the deal’s result, or hide what is to come
close-help = close the help
see-all = see all cards
look-from-seat = look from seat { $seat }, { $name }
step = Step
deals = Deals
more = More
look-from = Look from
all-seats = all
a-deal = Deal
result = result
fault = Fault
mistake = Mistake
before = before
next = next
moment-of-deal = Moment of the deal
help-future = Nothing is shown of what is still to come, unless you ask for it or have been there. A seat’s look shows only what that seat knew. A click on a chart goes to the move or deal.
help-values = Values are stakes to the seat that was asked, if everybody plays on with open hands: on average over deals that it could not tell apart, and in the deal as it was. A clear mistake cost half a stake or more by what the seat knew, and more than twice the standard error.

## Parts of a replay

moves = The moves of this deal
as-dealt = as dealt
mark-fault = fault
mark-refused = refused
mark-note = note
mistake-costs = mistake, costs
trick-to = trick { $trick }: { $who ->
    [talon] the talon
   *[other] { $name }
}, { points }
current-move = The current move
bot-sent = The bot sent { $answer }
fault-title = Fault
refused-title = Refused
note-title = Note
stderr-title = Standard error
stderr-of = Standard error of { $bot }, the whole match
the-result = The result
result-of-deal = Result of the deal
show-the-result = Show result
seat-learns-later = A seat learns it when the deal is over.
stakes-after = stakes { $deals }
pools-after = Pools after it: { $pools }.
no-pools-after = No pools after it.
the-deals = The deals
filter-declarer = declarer
filter-contract = contract
filter-swing = swing
filter-fault = with a fault
any = any
none = none
swing-or-more = { $count ->
    [one] { $count } or more stakes
   *[other] { $count } or more stakes
}
deals-found = { $count ->
    [one] { $found } of { $count } deal
   *[other] { $found } of { $count } deals
}
deals-found-so-far = { $count ->
    [one] { $found } of { $count } deal seen so far
   *[other] { $found } of { $count } deals seen so far
}
deals-later = Deals are listed once they are over.
show-all-deals = Show all deals
no-contract = no contract
clear-mistakes = { $count ->
    [one] { $count } clear mistake
   *[other] { $count } clear mistakes
}
seconds-of-deal = Seconds for each move of this deal
seconds-of-seat = Seconds for each move of seat { $seat } in this deal
stakes-over-deals = Stakes over the deals
expected-stakes = Expected stakes in this deal, each stroke up to the best answer
stakes-lost = Stakes lost by answers in this deal
course-of-deal = The course of the deal
could-expect = { $name } could expect { $amount } stakes here, with open hands

## The review in a replay

review = Review
value-appears-here = The value of each answer appears here.
hangs-on-hidden = What this was worth hangs on cards that seat { $seat } does not see.
no-choice = This was no choice, or it is not reviewed.
no-choice-of-seat = This was no choice, or it is not reviewed: A looks from all seats, from where the page can do that.
save-as-test = As a test of the bot: { $command }
not-reviewed = This deal has not been reviewed. In a terminal { $command } reviews the whole match.
# $bots are the names of those whose answers alone were reviewed.
reviewed-for-only = Reviewed for { $bots } only.
# Beside a mistake of giving up; $bid is what the seat had bid.
led-by-bid = it began with the bid: { $bid }
all-answers = All { $count } answers
clear-mistake = { $mark }: { $better } was better.
clear-mistake-mark = ✗ Clear mistake
no-better = ✓ No answer looks better.
perhaps-better = ≈ { $better } looks better, but that may be chance.
# $open is "yes" where $revealed is told too: what it cost with open hands.
it-cost = It cost { $loss } stakes, { $among }{ $open ->
    [yes] ; with open hands it cost { $revealed }.
   *[no] .
}
among-known = since the seat knew where every card was
among-all = { $count ->
    [one] by all { $count } deal that the seat could not tell apart
   *[other] by all { $count } deals that the seat could not tell apart
}
among-some = { $count ->
    [one] by { $count } deal that the seat could not tell apart
   *[other] by { $count } deals that the seat could not tell apart
}
column-answer = answer
column-known = known
column-open = open
given-or-best = given or best
given = ● given
best = ★ best

## Why a hint is good

why-only = The rules allow nothing else.
why-unbeatable = No card that is left beats it.
why-does-not-take = It does not take the trick.
why-takes = It takes the trick, { points }.
why-partner-takes = Your partner takes the trick, and { points } with it.
why-fewest-points = It gives away the fewest points.
why-void = { $suit ->
    [clubs] Without clubs you can trump them.
    [spades] Without spades you can trump them.
   *[hearts] Without hearts you can trump them.
}
why-safe = Their { points } are safe.
why-same = Others are worth the same.
why-worth = It is worth { $best } stakes on average, the next best { $next }.

## Beside the page

# What stands on a key.
key-cap = { $key ->
    [space] Space
    [enter] Enter
    [page-up] PgUp
    [page-down] PgDn
    [home] Home
    [end] End
   *[escape] Esc
}
# Where a browser runs no scripts.
replay-needs-script = This page needs JavaScript: let this file run its script, which uses no network.
table-needs-script = This page needs JavaScript: let it run its script, which talks to the computer it came from only.
