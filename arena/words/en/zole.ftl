### How Zole is played, for somebody who does not know it: the page /zole of a site.

how-title = How Zole is played
how-lead = Zole is the card game of Latvia: three at a table, one alone against two. A deal takes two minutes, the rules five.
how-as-here = This is how this site’s league plays; elsewhere some of it differs.
learn-in-minutes = Learn in five minutes

how-deal = The deal
how-deal-told = There are 26 cards: from nine to ace in clubs, spades and hearts, and all eight diamonds. Each of three players is dealt eight. The two that are left lie face down: the <b>talon</b>.
how-deal-shown = Forehand sits to the left of the dealer, bids first and leads to the first trick.
# $players is 4 or 5.
how-sits-out = { $players ->
    [4] Four sit at this league’s tables: the dealer sits each deal out.
   *[5] Five sit at this league’s tables: in each deal the dealer and one more sit out.
}
how-trumps = Fourteen trumps
how-trumps-told = All queens, all jacks and all diamonds are trumps. They are one suit, and each of them beats every other card.
how-trumps-shown = From the strongest to the weakest: nothing beats the queen of clubs.
how-suits = Three plain suits
how-suits-told = In clubs, spades and hearts the order is ace, ten, king, nine. The ten is stronger than the king.
how-suits-shown = Four cards in each plain suit.
how-points = 120 points
how-points-told = When somebody plays alone, what counts is the points in your tricks, not how many tricks you take.
how-points-shown = An ace counts 11, a ten 10, a king 4, a queen 3, a jack 2; nine, eight and seven nothing.
how-auction = Who plays alone
# $ranked is "yes" where the highest bid plays.
how-auction-told = Beginning with forehand, each says once whether to play or to pass. { $ranked ->
    [yes] The highest bid plays
   *[no] The first who does not pass plays
}: the <b>declarer</b>, alone against the two others, who play together.
how-auction-shown = A hand to play with: five trumps, two of them queens, and an ace.
how-talon = The talon
how-talon-told = In Play, the declarer takes the talon, and then lays two of the ten cards aside. Their points count for the declarer.
how-talon-shown = The declarer lays the two raised cards aside: the ten’s points are safe, and clubs can now be trumped.
how-solo = Zole
how-solo-told = In the game that is itself called Zole, the declarer plays without the talon: its points count for the defenders. It pays more.
how-solo-shown = A hand for Zole: the strongest trumps, and an ace.
how-small-solo-told = In Small Zole, the declarer wins by taking no trick at all.
how-blind-told = Blind Zole is bid before you see your cards, and pays most.
how-follow = Following suit
how-follow-told = The leader may play any card. The others follow suit: a card of the suit that was led, or a trump if a trump was led. A player without such a card may play anything, trumps too.
how-follow-shown = The king of spades was led: only the two bright cards may be played. The queen of spades is a trump, not a spade.
how-trick = Who takes the trick
how-trick-told = The strongest trump takes the trick; if there is none in it, the strongest card of the suit that was led. The player who takes it leads to the next.
how-trick-shown = The ace of hearts was led, and the ten followed. A small trump takes both: 21 points.
how-together = Two against one
how-together-told = The defenders count their tricks together. If your partner takes a trick, put many points into it; if the declarer takes it, few.
how-together-shown = The declarer led the nine, your partner took it with the ace. You add the ten: 21 points for the two of you.
how-win = What you win
how-win-told = The declarer wins with 61 points or more; with 60 each, the defenders win. The clearer the result, the more it pays.
how-all-pass = When all pass
# $all-pass and $settlement are the league’s rules, $stake is a number of stakes.
how-all-pass-told = { $all-pass ->
    [table] A table game is played: each player alone. { $settlement ->
        [fewest_tricks_collects] The player who takes the fewest tricks is paid { $stake } by each of the others.
        [most_points_pays] The player who takes the most points pays { $stake } to each of the others.
       *[most_tricks_pays] The player who takes the most tricks pays { $stake } to each of the others.
    } { table-tie }
    [pool] The cards are thrown in, and a pool is opened, which the next declarer who wins is paid.
   *[redeal] The cards are thrown in and dealt again.
}
how-pools-told = There are pools: a declarer who loses opens one, and a declarer who wins is paid one.
how-stakes-note = Stakes to the declarer from each of the others, by the declarer’s points.
how-now = And now
how-now-told = The table shows which cards may be played, gives a hint if you ask for one, and says after each deal what would have been better.
how-watch = Watch a deal
how-play = Play one yourself
how-every-rule = Every rule of this league
