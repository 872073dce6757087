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
    [ordinary] Play
    [solo] Zole
    [small_solo] Small Zole
    [blind] Blind Zole
    [table] Table game
   *[thrown_in] Thrown in
}
a-game = { $game ->
    [ordinary] Play
    [solo] Zole
    [small_solo] Small Zole
    [blind] Blind Zole
    [table] a table game
   *[thrown_in] a deal that is thrown in
}
no-game = no game
# What somebody said in the auction, as it stands beside the name.
word = { $word ->
    [pass] Pass
    [ordinary] Play
    [solo] Zole
    [small_solo] Small Zole
    [blind] Blind Zole
    [take] takes the talon
   *[give] gives the talon away
}

# An answer in a list of moves.
answer-word = { $word ->
    [pass] Pass
    [ordinary] Play
    [solo] Zole
    [small_solo] Small Zole
    [blind] Blind Zole
    [take] Take the talon
    [give] Give the talon away
    [yes] yes
    [no] no
   *[offer] Offer to concede
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
the-days-deal = Deal of the day
played-again = Played again
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
    [you] You bid Blind Zole.
   *[other] { $name } bids Blind Zole.
}
blind-not-declared = { $who ->
    [you] You look at your cards.
   *[other] { $name } looks at the cards.
}
passes = { $who ->
    [you] You pass.
   *[other] { $name } passes.
}
bids = { $who ->
    [you] You bid
   *[other] { $name } bids
} { $bid ->
    [ordinary] Play
    [solo] Zole
    [small_solo] Small Zole
   *[blind] Blind Zole
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
    [you] You are the declarer: { a-game }.
   *[other] { $name } is the declarer: { a-game }.
}
all-pass-table = All pass: a table game. Take as few tricks as you can.
all-pass-thrown-in = All pass: the cards are thrown in.
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
    [you] You take trick { $trick }: { points }.
    [talon] The talon takes trick { $trick }: { points }.
   *[other] { $name } takes trick { $trick }: { points }.
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
bot-stands-in = a bot plays
bot-stood-in = A bot has played for you.
defender = defender
talon = talon
talon-of-defenders = talon, for the defenders
hands-as-dealt = hands as dealt
laid-aside = laid aside
the-trick = The trick
led = led
you-lead-here = you lead
your-card-here = your card
the-auction = The auction
table-game = Table game
table-goal = { $settlement ->
    [most_points_pays] Table game: most points lose
    [fewest_tricks_collects] Table game: fewest tricks win
   *[other] Table game: most tricks lose, then most points
}
thrown-in = Thrown in
declares-game = declarer: { game }
game-declared = { $who ->
    [you] { $game ->
        [ordinary] Play: you declare
        [solo] Zole: you declare
        [small_solo] Small Zole: you declare
       *[blind] Blind Zole: you declare
    }
   *[other] { $game ->
        [ordinary] Play: { $name } declares
        [solo] Zole: { $name } declares
        [small_solo] Small Zole: { $name } declares
       *[blind] Blind Zole: { $name } declares
    }
}
# Points of one side, and how many it needs; $more is "yes" where cards are not seen that count for it.
declarer-has = { $who ->
    [you] You
   *[other] { $name }
} { $count }{ $more ->
    [yes] +
   *[no] { "" }
} { $reached ->
    [yes] ✓
   *[no] of 61
}
needs-points = { $count ->
    [0] { $name } has the 61 points.
    [one] { $name } needs { $count } more point.
   *[other] { $name } needs { $count } more points.
}
side-has = { $side ->
    [others] the defenders
    [yours] your side
   *[defenders] the defenders
} { $count }{ $more ->
    [yes] +
   *[no] { "" }
} { $reached ->
    [yes] ✓
   *[no] of 60
}
on-the-table = { $count } on the table
may-take-none = { $who ->
    [you] You must take no trick
   *[other] { $name } must take no trick
}
talon-has = talon { points }
pools = pools: { $pools }
pools-collective = { $count } collective

## Questions

your-turn-to-bid = Your bid?
ask-blind = Bid Blind Zole, before you see your cards?
ask-talon = Take the talon and lay two cards aside, or give it to the defenders and play Zole?
ask-discard = The talon is yours. Choose two cards to lay aside.
ask-offer = { $name } offers to concede: you would win as with 61 to 90 points. Accept?
ask-lead = Your turn: lead any card.
ask-card = Your turn: { $who ->
    [talon] the talon
   *[other] { $name }
} led the { CARD($card) }{ $trump ->
    [yes] , a trump
   *[no] { "" }
}.
answer-blind = { $blind ->
    [yes] Blind Zole
   *[no] Look at the cards
}
# The buttons of an auction; $next is "yes" where the talon is decided afterwards.
answer-bid = { $bid ->
    [pass] Pass
    [ordinary] Play
    [solo] Zole
    [small_solo] Small Zole
   *[blind] Blind Zole
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
tile-wins = win { $range }
tile-loses = lose { $range }
tiles-pay = Your stakes from all opponents together
answer-talon = { $choice ->
    [take] Take the talon
   *[give] Give it away, play Zole
}
answer-play-on = Play on
answer-give-up = Concede
answer-accept = Accept
answer-offer = Offer to concede
# On a narrow window, and once it was pressed.
answer-offer-short = Concede the deal
play-rest = Play the rest
play-rest-short = Finish
really-offer = Really? { $stakes }
# What conceding means, while it is pressed again.
offer-binds = The declarer may refuse. Your offer binds your partner, too.
conceding-pays = You pay as with 31 to 60 points.
lay-aside = Lay aside { $cards }
choose-more = { $count ->
    [one] { $count } more to choose
   *[other] { $count } more to choose
}
why-not-trumps = A trump was led, and you can follow: queens, jacks and diamonds are trumps.
why-not-suit = { $suit ->
    [clubs] Clubs
    [spades] Spades
   *[hearts] Hearts
} were led, and you can follow suit.{ $trump ->
    [yes] {" "}The { CARD($card) } is a trump.
   *[no] { "" }
}
refused = The answer was refused: { $why }. Choose again.
on-at-once = { $touch ->
    [yes] Tap to go on at once.
   *[no] Click or press Space to go on at once.
}
other-tab-asked = Answer in the other tab.
waiting-for = Waiting for { $name } …
waiting-for-offer = Your offer: waiting for { $name } …
invite-friends = Invite your friends
invite-helps = Each link opens one seat. The first deal begins when everybody is there.
waiting-for-others = Waiting for the others …
waiting-for-deal = Waiting for the first deal …
thinking = Thinking …
hint-is = Hint: { $answer }.

## The table's page

you = You { $stakes }
your-turn-title = ● Your turn - Zole
settings = Settings
keys = Keys
help = Help
trumps = Trumps
trumps-elsewhere = Not seen yet: { $count ->
    [one] { $count } trump.
   *[other] { $count } trumps.
}
trumps-frames = Framed: yours. Grey: gone.
# Of a card, in the list of all: what has become of it.
card-gone = , played or laid aside
card-yours = , yours
help-trumps = Trumps, highest first
help-trumps-order = All trumps are one suit: queens, then jacks, each in the order clubs, spades, hearts, diamonds; then the other diamonds.
help-suits = Other suits, highest first
help-points = Points of the cards
help-points-each = ace 11, ten 10, king 4, queen 3, jack 2, others 0; 120 in all
help-terms = Words and signs
means-declarer = bid to play alone, and wins with 61 or more of the 120 points. The others are the defenders.
means-forehand = sits to the left of the dealer, bids first and leads to the first trick. The deal moves on to the left.
means-trick = one card from each player. A player who can must follow the suit led; otherwise any card is allowed. The highest trump takes it, otherwise the highest card of the suit led; the winner leads to the next.
means-talon = the two cards left over after the deal. The declarer takes them in Play; in Zole they count for the defenders.{ $turned ->
    [yes] {" "}In a table game they are turned with the first two tricks.
   *[no] {" "}In a table game they count for nobody.
}
means-play = the bid to play alone with the talon: two cards are laid aside, and 61 points win.
means-zole = the bid to play alone without the talon, for more stakes.
means-table-game = all have passed: each plays alone. The player with the most tricks loses; if tricks are equal, the one with more points.
means-stakes = what a deal pays, and what you collect over a match. Points only decide a deal.
means-concede = to give a deal up, where the rules allow it. The declarer may until the second trick is over, and pays as with 31 to 60 points. Each defender may offer it once, at a turn to play; the declarer accepts, and is paid as with 61 to 90, or plays on.
means-hint = the answer that did best in many deals that fit what you have seen, each played to its end as if all players saw all cards.
ring = Yellow frame
means-ring = the rules let you play this card. A dashed frame is a hint.
edge = Coloured edge
means-edge = the card that takes the trick so far.
plus = 0+
means-plus = the points taken so far, and more in two cards that are not seen: those that the declarer laid aside, or in Zole the talon, which counts for the defenders.
# The figures of docs/strategy.md, roughly.
help-thumb = Rules of thumb
thumb-play = with five trumps, two of them queens, and another suit’s ace; or with six trumps, two of them queens. After two passes less is enough: the others are weak, too.
thumb-zole = with seven trumps and another suit’s ace, with six and two such aces, or with eight trumps.
thumb-declarer = lay two cards aside so that you have none of a suit left: a single card, or a ten with its king; keep aces and trumps. Lead your highest trump while no card left beats it, then an ace.
thumb-defender = lead other suits, not trumps. Give your partner’s trick an ace or a ten once the declarer has played to it, not before.
help-rules = How to play Zole
leave = Leave
close = Close
stay = Stay
connecting = Connecting …
your-cards = Your cards
nearest-hand = The nearest hand
what-is-asked = Your answers
last-trick = Last trick
hint = Hint
give-up-later = You concede before the next lead.
give-up-not = Do not concede
another-tab = You play this seat in another tab or window. This one only shows the game.
play-here = Play here
connection-lost = Connection lost. Trying again …
answered-already = That question was already answered, or time ran out.
answer-lost = The answer has not arrived yet. It is sent again until it does.
leaving-lost = You could not leave: no connection. Try again.
site-silent = The site does not answer. Try again.
not-taken = The server rejected it.
your-time = Your time
seconds-left = { $count ->
    [one] { $count } second left
   *[other] { $count } seconds left
}
leave-title = Leave the match?
replay-title = Play this again?
leave-for-replay = You play it at a new table. This match waits for you.
leave-retry = The deal that you play again ends here.
leave-guest = It waits for a quarter of an hour while you look around, and as long as you play the deal of the day. Once you leave, you cannot come back to it.
look-around = Look around
leave-friend = A bot plays on in your seat, for as long as a friend stays. This page leads back to it.
leave-person = You cannot come back: your seat loses this deal and every later one in which it is asked something.
skip-title = Skip the lesson?
leave-lesson = You can take it later: Help (?) at every table leads back to it.
browser-keeps = This browser keeps what you choose.
setting-language = Language
setting-pace = Others play
setting-deck = Cards
setting-sound = Sound of cards
choice = { $choice ->
    [briskly] fast
    [calmly] slowly
    [at-once] instantly
    [four-colours] four colours
    [classic] classic
    [large-index] large index
    [off] off
   *[on] on
}
key-move = previous or next card or answer
key-enter = play that card, give that answer; after a deal: next deal
key-space = continue at once, while others play or a trick is shown
key-number = the card or answer with that number; 9 and 0 while two are laid aside
key-trumps = trumps, points and what a deal pays
key-last-trick = show the last trick, or return to the current one
key-hint = a hint, which costs nothing
key-offer = offer to concede, as a defender where the rules allow it: the declarer may refuse
key-give-up = concede before the next trick, or not: as the declarer where the rules allow it
key-play-rest = once nothing more changes the stakes: play the last cards of this deal for you, by hints
key-help = this help

## The score sheet

score-sheet = Score sheet
total-after = total after it
deal = deal
deals-listed = The deals
now = now
in-the-pools = In the pools: { $pools }.
what-happened = What happened
this-deal = This deal
what-it-pays = Stakes
this-game-pays = Stakes for this deal
declarer-takes = the declarer takes
from-each = from each
level = { $level ->
    [all_tricks] all tricks
    [ge91] 91 points or more
    [ge61] 61 to 90 points
    [from_31] 31 to 60 points
    [le30] 30 points or fewer
    [no_tricks] no trick
    [made] no trick: won
   *[lost] a trick: lost
}
tier-paid = { $level }: { $won ->
    [yes] the declarer gets { $count } from each
   *[no] the declarer pays { $count } to each
}.
most-tricks-pay = { $count ->
    [one] The player who takes the most tricks pays { $count } stake to each other player.
   *[other] The player who takes the most tricks pays { $count } stakes to each other player.
}
most-points-pay = { $count ->
    [one] The player who takes the most points pays { $count } stake to each other player.
   *[other] The player who takes the most points pays { $count } stakes to each other player.
}
table-tie = { $settlement ->
    [fewest_tricks_collects] If tricks are equal, the player with fewer points is paid.
    [most_points_pays] If points are equal, the player with more tricks pays; if both are equal, each of these two pays { $stake } to the third.
   *[most_tricks_pays] If tricks are equal, the player with more points pays; if both are equal, each of these two pays { $stake } to the third.
}
fewest-tricks-win = { $count ->
    [one] The player who takes the fewest tricks is paid { $count } stake by each other player.
   *[other] The player who takes the fewest tricks is paid { $count } stakes by each other player.
}

## The end of a deal, and of a match

deal-over = The deal is over
deal-won = { $count ->
    [one] You win { $count } stake
   *[other] You win { $count } stakes
}
deal-lost = { $count ->
    [one] You lose { $count } stake
   *[other] You lose { $count } stakes
}
deal-even = You neither win nor lose
deal-sat-out = You sat out
# What is shown of a deal that is over.
part = { $part ->
    [result] Result
    [tricks] Tricks
    [review] Review
   *[same] Same cards
}
levels-play = Bots of all levels are playing these cards …
levels-silent = No bot can play these cards at the moment.
same-cards-told = The same cards in your seat, played once by a bot of each level; luck has its part:
one-deal-is-luck = One deal is partly luck: a better card may still lose.
first-time = The first time: { $amount }.
try-again-here = Try again from here
play-these-again = Play these cards again
strength = { $level ->
    [beginner] Beginner
    [club] Club player
    [strong] Strong player
   *[master] Master
}
# $day is a date, $amount stakes with their sign.
day-result = Deal of the day, { $day }: { $amount }{ $with ->
    [points] {" "}with { points }
   *[nothing] { "" }
}.
day-first = You are the first to play it.
day-bots = Bots with the same cards: { $made }.
day-others = { $count ->
    [one] { $count } other has played it
   *[other] { $count } others have played it
}: { $less } did worse, { $same } the same, { $more } better. On equal stakes, card points decide.
day-better-than = { $count ->
    [one] Better than { $share } % of { $count } other.
   *[other] Better than { $share } % of { $count } others.
}
to-the-end = Final result
trick-before = The trick before
trick-after = The next trick
next-deal = Next deal
what-it-paid = What it paid
seat = seat
in-all = in all
looking-for-better = Looking for better answers …
what-would-be-better = Better answers
no-mistake = No clear mistake, judging by what you could know.
no-clear-mistake = No clear mistake. You chose right where most was at stake: { $where }.
was-right = { $given } was right.
cards-decided = If everyone had seen all cards, no other card of yours would have been better.
in-hindsight = { $where }: if everyone had seen all cards, { $better } would have been better.
better = { $best } was better than { $given }: { $loss } stakes more on average.
better-plain = { $best } was better than { $given }.
close-calls = Better, but too close to call a mistake:
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
dearest-moments = Your costliest mistakes
course-of-match = The stakes of all players after each deal
match-over = The match is over
match-place = { $of ->
    [deal] The deal
   *[match] The match
} is over: { $stands ->
    [won] you won
    [shared] place { $place } of { $players }, shared
   *[other] place { $place } of { $players }
}.
you-have-left = You have left.
come-back = Come back
back-to-match = Back to your match
disqualified = Your seat was disqualified for too many faults.
play-again = Play again
play-a-match = Play a match
other-bots = Other bots
the-standings = The standings
may-close = You can close this page. { $play } starts another match; { $replay } shows one that was kept with { $record }.
this-table = This table
bots-play-here = Bots play at this table: { $names }.{ $day ->
    [yes] { "" }
   *[no] {" "}The match does not count in any standings.
}
day-same-cards = Deal of the day: all who come today play these cards; the first time counts.
watch = watch
friends-may-watch = Friends may { $watch }: they see what everyone at the table sees, and all hands once a deal is over.
see-it-again = Watch it again
see-again-card-by-card = { $link }, card by card.
share = { $what ->
    [result] Share the result
    [replay] Share the replay
   *[link] Share the link
}
address-copied = The address is copied.
the-log = The log
log-is-yours = { $link } has every move as text. It and the replay are kept here for a month.

## The guided first deals: at most 15 words at a time

coach = Coach
go-on = Next
skip = Skip
learn = Learn in five minutes
learnt = You know enough to play
learnt-helps = The table frames the cards that you may play. As the declarer, lead your highest trump while nobody can beat it, then an ace. Rules of thumb have exceptions: about one time in seven, another card is better. A hint tries your cards in many deals that fit what you have seen. Help (?) at a table leads back to this lesson.
learnt-match = Here Juris dealt twice running; at a table the next player to the left deals each time. The player with the most stakes after the last deal wins the match.
start-playing = Play now
anna = Anna
juris = Juris
coach-welcome = Welcome! Three players have eight cards each; the two in the middle are the talon.
coach-trick = A trick: each player lays one card, and the highest takes all three.
coach-passed = Each may bid to play alone. This time nobody does: the most tricks lose.
coach-trumps = Queens, jacks and diamonds are trumps: they beat all others. Highest first, yours framed.
coach-suits = Clubs, spades and hearts have only four cards each, highest first: ace, ten, king, nine.
coach-lead-low = You want no tricks: lead the nine of spades. Yellow frames: the rules allow these.
coach-lead-lower = That may take the trick. Begin with the low nine of spades.
coach-suit-first = Trumps often take tricks: keep them until you must. Lead the nine of spades.
coach-no-ace = Only a trump beats an ace. Begin with the low nine.
coach-highest = Anna’s ten is the highest spade played: she takes this trick and leads next.
coach-follow = Hearts were led: you must follow. Your ace would win, so play the king.
coach-ace-wins = Your ace beats the ten and takes the trick. Play the king.
coach-void = No clubs: any card is allowed. Get rid of the ace of spades!
coach-off-suit = Your ace is neither club nor trump: it cannot win. Anna’s ten takes it.
coach-trump-takes = A trump would take this trick, and you want none. Throw an ace.
coach-other-ace = That is as good. But this time, throw the ace of spades.
coach-trump-led = A trump was led: follow. The queen would win: play the nine, keep the seven.
coach-lower-later = Safe, too. But low cards lose later tricks: throw the nine, keep the seven.
coach-queen-takes = Queens beat jacks, so that would take the trick. Play the nine.
coach-rest = Juris takes it and leads next. The other cards are now played for you.
coach-trumped = Anna has no clubs left: her trump, the ten of diamonds, takes the trick.
coach-queens = Queens rank clubs, spades, hearts, diamonds: Anna’s takes the last trick.
coach-end-few = With the most tricks, Anna pays each of you two stakes. Stakes are the score.
coach-end-tie = On equal tricks, card points decide: the next deal explains them. The talon counts nowhere.
coach-pass = You bid first: forehand, next clockwise after the dealer. Too weak without queens: tap Pass.
coach-too-weak = Your trumps are too low to play alone. Tap Pass.
coach-partners = Anna bids Play, which ends the auction. She plays alone: she is the declarer.
coach-exchanged = She took the talon and laid two aside. You and Juris are the defenders.
coach-points = Cards have points: ace 11, ten 10, king 4, queen 3, jack 2, others none.
coach-sides = The bar counts the points of tricks: Anna needs 61 of 120, you two 60.
coach-plus = “0+” means: the two cards that she laid aside count for her, too.
coach-had-ace = This time Anna had the ace: she takes the trick and leads.
coach-lead-ace = The forehand also leads first. Play the ace: only a trump beats it.
coach-why-ace = Your ace brings more points, and only a trump beats it. Lead the ace.
coach-partner-gave = Juris follows with his ten, which counts for you: together you have { points }.
coach-lead-nothing = Lead the nine of hearts: it costs no points, and Juris may take it.
coach-why-nothing = Keep your trumps for later tricks. The nine of hearts has no points.
coach-other-nine = It has no points either. But in hearts, Juris may still have the ace.
coach-give = Trumps were led; Juris’s queen is higher. You play last: add your ten!
coach-partner-has-it = Your partner already has this trick: give it the ten.
coach-take = You have no spades: trump it. Anna plays last, so use your highest: the jack.
coach-jack-safer = Good idea, but a higher trump is safer here. Take it with the jack.
coach-trump-it = Then Anna would take the trick. Beat it with your jack.
coach-took = Your trump beats even Anna’s ace: { points }. The next cards are played for you.
coach-defended = { points }: Anna cannot reach 61 any more. You and Juris have won!
coach-end-defended = Anna fell short of 61 points: she pays two stakes to each of you.
coach-end-worse = With 30 points or fewer, she pays three; with no trick at all, four.
coach-strong = Rule of thumb: bid with five trumps, two of them queens, and another suit’s ace.
coach-talon = Play means: you take the talon, lay two cards aside, and need 61 points alone.
coach-bid = Tap Play: you win 2 to 6 stakes in all, or lose 4 to 8.
coach-too-strong = Cards as strong as these are worth a bid. Tap Play!
coach-no-solo = Zole does without the talon. With these cards, Play is safer.
coach-discard = Lay the ten and king of hearts aside: their { $count } points count for you.
coach-why-hearts = Better the ten and king of hearts: you keep their points, and can trump hearts.
coach-draw = Nobody can beat your highest trump: lead it. Both must follow with a trump.
coach-why-draw = First draw their trumps, so that they cannot beat your ace: the queen of clubs.
coach-highest-first = That is nearly as good. But begin with the highest: the queen of clubs.
coach-draw-again = { points } so far. Now nobody can beat the queen of spades, either: lead it.
coach-why-again = Anna and Juris still have trumps. Lead the queen of spades first.
coach-cash = { points }. Jacks and queens beat your highest trump now: lead the ace of spades!
coach-why-cash = They hold higher trumps than yours now. Lead the ace of spades.
coach-made = { points }: 61 are enough. You have won! The rest is played for you.
coach-end-made = Each pays one stake. From 91 points on it is two, with all tricks three.
coach-end-zole = Zole is the third bid: 61 points without the talon, which counts for the others.
coach-end-more = Zole wins 8–12 or loses 10–14: Help (?) shows when to bid it.

## What came of a deal

result-none = No game was declared.
result-table = All passed: a table game.
table-decided = { $who ->
    [you] You { $wins ->
        [yes] win
       *[no] lose
    }
   *[other] { $name } { $wins ->
        [yes] wins
       *[no] loses
    }
} { $settlement ->
    [fewest_tricks_collects] { $tied ->
        [yes] with as few tricks as another player, but fewer points
       *[no] with the fewest tricks ({ $count })
    }
    [most_points_pays] { $tied ->
        [yes] with as many points as another player, but more tricks
       *[no] with the most points ({ $count })
    }
   *[most_tricks_pays] { $tied ->
        [yes] with as many tricks as another player, but more points
       *[no] with the most tricks ({ $count })
    }
}.
table-tied = { $paid ->
    [none] All have equal tricks and points: nobody pays.
    [to] Two players have equal tricks and points: the third pays both.
   *[by] Two players have equal tricks and points: both pay the third.
}
result-thrown-in = All passed: thrown in.
# $tricks and $points are counts in words.
result-talon = The talon took { points } in { $tricks }.
# $end says how it ended for the declarer.
result-declared = { $who ->
    [you] You declared { a-game } and took { $took }.{ $end ->
        [won] {" "}You won.
        [lost] {" "}You lost.
        [surrendered] {" "}You conceded.
        [conceded] {" "}The defenders conceded.
       *[none] { "" }
    }
   *[other] { $name } declared { a-game } and took { $took }.{ $end ->
        [won] {" "}{ $name } won.
        [lost] {" "}{ $name } lost.
        [surrendered] {" "}{ $name } conceded.
        [conceded] {" "}The defenders conceded.
       *[none] { "" }
    }
}
result-forfeit = { $who ->
    [you] You declared { a-game } and took { $took }.
   *[other] { $name } declared { a-game } and took { $took }.
} { $end ->
    [won] It counts as won because { $failed } failed.
   *[lost] It counts as lost because { $failed } failed.
}
took-points = { points } with { $tricks }; the defenders took { $theirs }
no-trick = no trick
result-fault = { $who ->
    [you] You
   *[other] { $name }
} { $fault ->
    [timeout] ran out of time
    [exited] left
    [illegal] broke the rules
    [malformed] could not be understood
   *[other] failed: { $fault }
}.
match-over-plain = The match is over.
where-ask = { $ask ->
    [blind] Blind
    [bid] Bid
    [talon] Talon
    [discard] Lay aside
    [surrender] Concede
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
asked = { ask }?
is-asked = { $name } is asked { $ask ->
    [blind] whether to bid Blind Zole
    [bid] to bid
    [talon] about the talon
    [discard] to lay two cards aside
    [play] to play a card
    [surrender] whether to concede
   *[offer] whether to accept
}.
no-answer = { $name } does not answer.
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
future-is-hidden = What comes later is hidden.
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
help-future = What comes later stays hidden unless you ask for it or have already seen it. The view from a seat shows only what that seat knew. Click a chart to go to that move or deal.
help-values = Values are stakes for the seat that was asked, if everybody plays on with open hands: on average over the deals that it could not tell apart, and in the actual deal. A clear mistake cost half a stake or more by what the seat knew, and more than twice the standard error.

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
hangs-on-hidden = What this was worth depends on cards that seat { $seat } does not see.
no-choice = There was no choice here, or it has not been reviewed.
no-choice-of-seat = There was no choice here, or it has not been reviewed: A looks from all seats, where the page can review it.
save-as-test = As a test of the bot: { $command }
not-reviewed = This deal has not been reviewed. In a terminal { $command } reviews the whole match.
# $bots are the names of those whose answers alone were reviewed.
reviewed-for-only = Reviewed for { $bots } only.
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

why-only = The rules allow no other answer.
why-unbeatable = No card that is left beats it.
why-draws-trumps = It draws the others’ trumps.
why-only-trumps = Only a trump beats it.
why-before-trumped = Take its points now, while others may have to follow suit: your trumps can wait.
why-takes-now = So far it takes the trick.
why-does-not-take = It does not take the trick.
why-takes = It takes the trick, with { points }{ $more ->
    [yes] {" "}or more
   *[no] { "" }
}.
why-side-takes = Your side gets the trick in any case, with { points } or more.
why-partner-takes = Your partner takes the trick: give it { points }.
why-fewest-points = It gives away the fewest points.
why-partner-so-far = So far your partner has the trick: give it { points }.
why-partner-may-trump = Your partner has none of this suit, and may trump the trick: give it { points }.
why-partner-last = Your partner plays last and may take the trick: give it { points }.
why-keeps-trumps = It keeps your { $count ->
    [one] trump
   *[other] trumps
} for later.
why-keeps-higher = It keeps the { CARD($card) } for later.
why-keeps-at-a-price = It costs { points } more, but keeps the { CARD($card) } for later.
why-keeps-lower = It keeps the { CARD($card) } for later, which is weaker.
why-keeps-winner = It keeps the { CARD($card) } for later: only a trump beats that.
why-harder = It is harder to beat than the { CARD($card) }.
why-sets-up = Once the { CARD($card) } is gone, you have the highest card of its suit.
why-risks-less = It costs fewer points than the { CARD($card) } if the trick is lost.
why-no-points = It has no points to lose.
why-weakest = It is the weakest card that you may play.
why-in-any-case = It takes a trick whenever it is played: no card left beats it. Low cards help you later.
why-strongest = You get rid of the strongest card that you may play.
why-void = { $suit ->
    [clubs] With no clubs left, you can trump that suit.
    [spades] With no spades left, you can trump that suit.
   *[hearts] With no hearts left, you can trump that suit.
}
why-void-later = { $suit ->
    [clubs] With no clubs left, you can throw away high cards when others lead them.
    [spades] With no spades left, you can throw away high cards when others lead them.
   *[hearts] With no hearts left, you can throw away high cards when others lead them.
}
why-others-higher = { $count ->
    [one] { $count } card left in its suit is higher: somebody may have to take the trick.
   *[other] { $count } cards left in its suit are higher: somebody may have to take the trick.
}
why-shorter = The fewer cards of its suit you keep, the sooner you can throw high cards away.
why-safe = You keep { points } for yourself.
why-same-word = { answer-word }: about as good.
why-same-discards = About as good on average: { $cards }{ $more ->
    [yes] {" "}and others
   *[no] { "" }
}.
why-no-matter = { $end ->
    [pays] It makes no difference: with each card you pay in about { $count } of 100 deals that fit what you saw.
    [lost] It makes no difference: with each card you lose about as much.
    [won] It makes no difference: with each card you win about as much.
   *[even] It makes no difference: with each card you win about { $count } of 100 deals that fit what you saw.
}
why-same-but = Just as good on average: any card that you may play, except { $cards }.
why-same-cards = Just as good on average: { $cards }.
why-better = On average { $ahead } stakes better for you than any other choice.
why-wins = { $end ->
    [more] Of 100 deals that fit what you saw, you win { $won } with it, { $less } with the { CARD($card) }.
    [pays] Of 100 deals that fit what you saw, you pay in { $won } with it, in { $less } with the { CARD($card) }.
    [lost] With the { CARD($card) } you lose, too, and { $ahead } stakes more on average.
    [won] With the { CARD($card) } you win, too, but { $ahead } stakes less on average.
    [even] With the { CARD($card) } you win as often, but get { $ahead } stakes less on average.
   *[less] On average { $ahead } stakes better for you than the { CARD($card) }.
}
why-rule-fails = Here the rule of thumb “highest trump first” fails.
why-worth = Your stakes on average:
why-also = { answer-word } { $next }.
why-too-close = Less than half a stake apart is too close to tell.
why-hand = In this hand: trumps { $trumps }, queens { $queens }, other aces { $aces }.
more-answers = … { $count } more …
# Above the values of all answers as bars.
values-of-answers = { $kind ->
    [cost] Difference from the best, in stakes:
    [open] Difference from the best, with all cards seen:
   *[worth] Your stakes on average:
}

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
