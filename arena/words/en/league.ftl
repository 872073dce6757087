### What the pages of a league say, on a site and in the report of a league.
###
### $bot, $one and other names are names of bots, which no language declines.

## The first page

bots-play = { $count ->
    [0] Zole is a card game from Latvia. Learn it, play it, or bring a bot that does.
    [one] Zole is a card game from Latvia. Learn it, play it, or watch a bot.
   *[other] Zole is a card game from Latvia. Learn it, play it, or watch { $count } bots.
}
bots-played = { $count ->
    [one] { $count } bot has played the Latvian card game Zole.
   *[other] { $count } bots have played the Latvian card game Zole against each other.
}
league-paused = The organiser has paused the league: { $why }
a-deal-of-late = A recent deal
play-now = Play now
deal-of-the-day = Deal of the day
bring-a-bot = Bring a bot
tables-now = At the tables now
tables-play-now = { $count ->
    [one] { $count } table is playing now
   *[other] { $count } tables are playing now
}
# $when is a moment. The league rests until then.
next-table = The league of bots rests: the deals here were played before. Its next match begins { $when }.
season-over = The season is over.
final-is-played = The season’s final is being played.
# $when is a moment.
submit-until = Bots that are submitted until { $when } play in this season.
final-begins = The final begins on { $when }.
standings-so-far = Standings so far
final-of-season = { $sets ->
    [one] Final of season { $season }: { $played } of { $sets } set
   *[other] Final of season { $season }: { $played } of { $sets } sets
}
final = Final
no-bot-yet = No bot has joined yet.
could-be-first = Yours could be the first.
versions-that-left = { $count ->
    [one] { $count } version that left
   *[other] { $count } versions that left
}
all-standings = { $count ->
    [one] The whole table, { $count } bot
   *[other] The whole table, { $count } bots
}
left-versions = Versions that left
remarks-on-figures = { $count ->
    [one] { $count } remark on these figures
   *[other] { $count } remarks on these figures
}
made-the-same = { $one } and { $other } made the same in every set.
strength-told = Strength is in stakes per deal against the mean of the field. A bar is a 95 % interval that holds at all times: however often you look, the chance that any of them ever leaves out the truth is 5 %. <a href="/rules#counting">The rules</a> say how it is calculated.
bars-of-final = A bar of the final is an ordinary 95 % interval: the final has a size that was fixed beforehand, and is looked at once.
figures-as = These figures as <a href="{ $path }.json">JSON</a> or <a href="{ $path }.csv">CSV</a>.
part-of-site = <a href="/about#leagues">All leagues of this site</a>
last-results = Last results
all-matches = All matches
no-match-yet = No match is stored yet.

## Tables of matches and of standings

match-number = match { $match }
seat-number = seat { $seat }
replay-match = replay match { $match }
column-match = match
column-deals = deals
column-faults = faults
column-replay = replay
column-stored = stored
column-rank = rank
column-ranks = ranks
column-bot = bot
column-big-points = points
column-small-points = stakes
column-strength = strength
strength-in-short = Strength: how many stakes a deal a bot wins above the average; ±: how sure that is.
column-figure = as a figure
column-sets = sets
ranks-open = the best and the worst rank that the results leave open
ranks-at-all-looks = the best and the worst rank that the results leave open, at all looks together
# Whether a match counts.
void = void
waiting = waiting
waits-for-seatings = waits for the other seatings of its deals
# A disqualified bot.
out = out
house-bot = house bot
by-author = by { $author }
of-team = team { $team }
benched = benched
# $why are the words of the organiser or of the arena.
benched-by = benched: { $why }
games = { $count ->
    [one] { $count } game
   *[other] { $count } games
}
order-number = Order { $order }:
seatings-played = { $count ->
    [one] { $played } of { $count } seating played
   *[other] { $played } of { $count } seatings played
}
deals-of-order = { $deals }
deals-of-final = { $deals }, final

## Remarks on figures

no-set-complete = No set is complete yet.
# $groups are names of bots.
groups-apart = These groups never met and are rated apart: { $groups }
groups-not-met = Bots of different groups have not met, directly or through others.
house-bots-are = House bots are the arena’s own: they play where fewer than three authors do.
so-far-holds = So far: ± and ranks hold however often one looks; the ± at one look is right 19 times of 20 at a time that was chosen beforehand.
strength-against-field = Strength is stakes/deal against the mean of the bots that play now.
strength-against-equals = Not all met equally often: strength is stakes/deal against equal company.
elo-bounds = An Elo with >, < or ~ is a bound: the results are too one-sided for more.
intervals-need = Intervals need 10 sets and more than one free set.
identical-on = { $one } and { $other } are identical on { $count ->
    [one] { $count } deal
   *[other] { $count } deals
}.
disqualified-in = { $bot } was disqualified in { $out } of { $count ->
    [one] { $count } match
   *[other] { $count } matches
}
sets-are-void = { $count ->
    [one] { $count } set is void: a bot was disqualified there.
   *[other] { $count } sets are void: a bot was disqualified there.
}
# $why is the arena's own English.
to-be-played-again = To be played again: { $lineup }: { $why }
isolation-was = Isolation: { $level }
network-of = { $bot } may connect to { $addresses }.
practice-seed = Practice seed: { $seed }
seed-shown = Seed: { $seed } (SHA-256 { $hash })
seed-committed = Commitment to the secret seed: SHA-256 { $hash }
earlier-seeds = Seeds of earlier sets: { $seeds }
season-secret = SHA-256 of the season’s secret: { $hash }

## How far a league is

# $unit is "set" or "session".
progress-units = { $unit ->
    [session] { $count ->
        [one] { $count } session
       *[other] { $count } sessions
    }
   *[set] { $count ->
        [one] { $count } set
       *[other] { $count } sets
    }
}
progress-void = { $void ->
    [0] { "" }
   *[other] , { $void } void
}
progress-practice = { $practice ->
    [yes] , practice deals
   *[no] { "" }
}
progress-rounds = { $played } of { $count ->
    [one] { $count } round
   *[other] { $count } rounds
}, { $complete ->
    [yes] complete
   *[no] not complete
}{ progress-practice }
ranking = Ranking
round-number = Round { $round }
# $deals are those of a round.
tournament-order = By points for the places at the tables, then by stakes, then by the last round; a round has { $deals ->
    [one] { $deals } deal
   *[other] { $deals } deals
}
tournament-no-interval = There are no 95 % intervals: tables are paired by results, which would make them too narrow. Places depend on luck
progress-so-far = { progress-units } so far{ progress-void }{ progress-practice }
progress-all = complete: { progress-units } { $count ->
    [one] counts
   *[other] count
}{ progress-void }{ progress-practice }
progress-of = { $played } of { progress-units }{ progress-void }, { $complete ->
    [yes] complete
   *[no] not complete
}{ progress-practice }

## The first page of a record

the-league = The league
# $figure is what the table is ordered by.
bars-of-record = A bar is a 95 % interval of the { $figure ->
    [column-stakes] stakes.
   *[other] strength{ $looks ->
        [all] , which holds at all looks
       *[now] { "" }
    }. Strength is in stakes a deal.
}
worth-a-look = Worth a look
no-replays = There are no replays next to this page.
made-from = Made from the record { $record }. { $verify } checks every match in it, { $faults } lists all faults, { $replay } replays one.
commands-for = Commands are for the folder in which { $league } lies.

## All bots compared

crosstable-is = Each bot against each other, in the sets in which both sat.
each-against-each = Each against each other
everybody = everybody
same = same
pair-met = { $one } against { $other }: { $count ->
    [one] { $count } set together
   *[other] { $count } sets together
}{ $certainty ->
    [no] { "" }
   *[other] ; by all sets it is better with { $certainty } certainty
}
crosstable-told = Stakes a deal of the row against the column; a dash where they never met. * means that the 95 % interval leaves out 0: who is better is more than 97.5 % sure.
shades-told = <span class="behind-3">99.9 %</span><span class="behind-2">97.5 %</span><span class="behind-1">80 %</span> sure that the row is behind, <span class="ahead-1">80 %</span><span class="ahead-2">97.5 %</span><span class="ahead-3">99.9 %</span> that it is ahead.
no-two-met = No two bots have met yet.
and-more = { $more ->
    [0] { "" }
   *[other] ; and { $more } more
}
by-role = By role
column-declares = declares, %
column-wins = wins of these, %
column-declarer = as declarer
column-defender = as defender
column-table = at table
column-sitting-out = sitting out
roles-told = Shares of its hands that a bot declares, and of these that pay it, with 95 % intervals; then stakes a deal in each role, and the % of declared games other than Play.
by-seat = By seat
column-forehand = forehand
column-middlehand = middlehand
column-rearhand = rearhand
seats-told = Stakes a deal by place from the dealer; forehand bids and leads first.
by-company = By company
column-taker = bots of
column-giver = from those of
column-gained = gained
column-chance = chance
company-told = Stakes a deal that an author’s bots gained on another’s where they sat together, beyond what their strengths explain: the least probable pairs first. The chance is that of a pair as far apart ever, in a league of honest authors, if the effects of their styles are normally distributed; among a few extreme styles honest pairs are flagged more often.
no-company = No author’s bots gave another’s more than their strengths, style and luck explain.
company = More than strengths, style and luck explain was given by the bots of { $pairs }{ and-more }. One honest league in a hundred has such a pair: see their deals before you judge.
company-pair = { $giver } to { $taker }
answer-times = Response time, last 20 matches
column-answers = answers
median = median
nineteen-of-twenty = 19 of 20 within
longest = longest

## A bot

own-bot-of-arena = one of the arena’s own bots
version-is = version { $version }
in-league-since = in the league since { $moment }
# $why are the words of the organiser or of the arena.
bot-benched = Benched: { $why }. It gets no tables until its author resumes it.
bot-left = It does not play any more{ $why ->
    [unknown] { "" }
   *[other] : { left-why }
}. What it played stays.
left-why = { $why ->
    [replaced] replaced
    [withdrawn] withdrawn
   *[other] { $why }
}
# How often it does each, compared with all bots; $solo is "none" where nobody declares one.
style = { $declares ->
    [often] Declares often
    [rarely] Declares rarely
   *[usual] Declares as often as most
}{ $solo ->
    [often] , and plays Zole often
    [rarely] , and plays Zole rarely
    [usual] , and plays Zole as often as most
   *[none] { "" }
}.
column-zole = in Zole
rank-moved = { $way ->
    [up] up { $by } in a week
   *[down] down { $by } in a week
}
roles-in-stakes = Stakes per deal in each role.
play-against-it = Play against it
challenge-it = Challenge it
best-deal = Its best deal
best-deal-made = Watch it make { $made } on average where others made { $theirs }
all-statistics = All statistics
in-figures = Results in figures
strength-so-far = strength so far
ranks-so-far = ranks so far
at-one-look = at one look
column-stakes-per-deal = stakes a deal
column-elo = Elo
sets-void = { $count ->
    [one] { $count } set void
   *[other] { $count } sets void
}
against-each-other = Against each other bot
column-ahead = ahead by
column-better = better
better-than = how sure it is, by the sets in which both sat, that { $bot } is the better one
column-by-all-sets = by all sets
against-told = How many stakes a deal it made more than the other in the sets in which both sat, with the 95 % interval of one look; and how sure it is, by these sets and by all, that it is the better one.
how-it-plays = How it plays
# $declared counts games by contract, the ordinary one first.
plays-told = The share of its hands that it declares, and of these that it wins; then stakes a deal in each role and at each place.{ $declared ->
    [none] { "" }
   *[other] {" "}Declared: { $declared }.
}
games-declared = { game } { $count }
worst-and-best = Best and worst hands
others-made-more = Where others made more of the same cards
it-made-more = Where it made more than others
hand-made = { $deal }, seat { $seat }<br>{ $made } a game, others { $theirs }; it declared { $declared } of { $games }, others { $theydeclared } of { $theirgames }
of-answers = Of { $count ->
    [one] { $count } answer
   *[other] { $count } answers
}.
faults-title = Faults
# How an answer failed.
fault-kind = { $kind ->
    [illegal] illegal
    [malformed] malformed
    [timeout] timeout
    [exited] exited
    [flooded] flooded
    [unready] unready
    [resource] resource
    [internal] internal
   *[other] { $kind }
}
faults-of-bot = { $faults }{ $out ->
    [0] .
    [one] ; disqualified in { $out } match.
   *[other] ; disqualified in { $out } matches.
}
fault-in = { fault-kind } in { $deal } of { $match }
no-faults = None: it answered every question by the rules and in time.
no-faults-yet = None: it has not been at a table yet.
versions = Versions
column-version = version
column-joined = joined
column-left = left
column-content = content
plays = plays
versions-told = A new version is another bot: it begins without results. Content is the beginning of the SHA-256 of its folder.
its-last-matches = Its last matches

## Matches

match-titled = Match { $match }
# $moment may be a tag.
match-is = { $count ->
    [one] Deal { $first }
   *[other] Deals { $first }–{ $last }
} of { $names }, stored { $moment }. Order { $order }.
match-is-void = It counts for nothing: a seat of its table was disqualified.
match-waits = It counts once the other seatings of its table are stored.
is-disqualified = disqualified
answers-given = { $count ->
    [one] { $count } answer
   *[other] { $count } answers
}{ $seconds ->
    [none] { "" }
   *[other] {" "}in { $seconds }
}
watch-card-by-card = Watch it, card by card
# $until is "season" where the season must end before.
replay-is-hidden = { $until ->
    [season] Its replay is hidden until the season ends.
   *[unknown] Its replay is hidden.
}
authors-may-fetch = The bots’ own authors may <a href="/start#logs">fetch what their bots saw</a> at once.
deal-by-deal = Deal by deal
column-contract = contract
column-fault = fault
column-all = all
replay-deal = replay deal { $deal }
deals-lead = A deal’s number leads to its traveller: what came of the same cards in every seating.
other-seatings = The other seatings of this table
match-played = { $decisions ->
    [one] { $decisions } decision
   *[other] { $decisions } decisions
}, isolation: { $isolation }.
matches-are = A match is a table in one seating. It counts once all seatings of the same deals are stored, so that everybody has held all cards.
no-match-before = No match is stored before that one.
more-matches = More matches
newest = The newest
older = Older

## A deal in all its seatings

deal-of-names = Deal { $deal } of { $names }
same-cards-in = The same cards in { $seatings ->
    [one] { $seatings } seating
   *[other] { $seatings } seatings
}{ $order ->
    [none] .
   *[other] : order { $order }.
}
deals-of-this-order = Deals of this order
the-cards = The cards
# $place is "out" for who sits out.
place-of-seat = { $place ->
    [forehand] forehand
    [middlehand] middlehand
    [rearhand] rearhand
   *[out] sits out
}{ $dealer ->
    [yes] , dealer
   *[no] { "" }
}
seat-and-place = seat { $seat }, { $place }
seat-is-out = Seat { $seat } { $place }.
what-was-played = What was played
replay-in-match = replay in match { $match }
declares = declares
won = won
lost = lost
lines-told = A line for each seating: who sat where and what it was paid, in stakes. Points and tricks are the declarer’s.
number-replays = A match’s number replays the deal there.
made-of-same-cards = What each made of the same cards
mean-stakes = Mean stakes a game.
seatings-so-far = { $played } of { $count ->
    [one] { $count } seating is played so far.
   *[other] { $count } seatings are played so far.
}
match-ended-before = Match { $match } ended before this deal.
# $disqualified says who was disqualified.
set-is-void = The set is void: { $disqualified }.
pools-matter = With pools a deal’s stakes also depend on the pools before it.

## The ledger

proof-title = The ledger, and how to check the deals
proof-told = The deals of a table follow from two things: a secret of the arena, and the line of the ledger that orders the table. The hash of the secret is published <em>before</em> any bot plays, the secret itself when the season is over. The line depends on every line before it, and so on every bot that has joined. So neither the arena nor an author can choose the cards.
commitment-at = commitment, { $moment }
the-commitment = commitment
secret = secret
tables-of-season = { $count ->
    [one] { $count } table.
   *[other] { $count } tables.
}
secret-revealed = The season’s secret was revealed { $moment }.
check-it = Check it
check-it-here = Check it here
secret-is-committed = The secret is what was committed to:
seed-follows = The seed of a table follows from the secret and the hash of its line in the ledger:
deals-follow = Every deal follows from the seed, the names at its table and its number.
ledger-title = The ledger
ledger-told = Everything that decides a table or a deal is written here before it happens: commitments, who joins and leaves, every table that is drawn. A line’s hash is the SHA-256 of the hash before it (64 zeros before the first), a newline and its entry. Anyone who kept one of these hashes can tell whether anything before it was changed.
whole-ledger = <a href="/ledger/lines">The whole ledger as JSON lines</a>, from the beginning; <code>?after=N</code> starts after line N.
last-lines = The last lines of the ledger
column-line = line
column-text = text
column-hash = hash

## Rules

# $source is the text that the rules come from.
rules-of-league = { $source }{ $changed ->
    [yes] , with changes
   *[no] { "" }
}; { $players } at a table.
how-league-is-played = How the league is played
# $session is 0 where a table has fresh deals.
tables-told = Three bots sit at a table, { $session ->
    [0] ten fresh deals
    [one] a session of { $session } deal
   *[other] a session of { $session } deals
} in all { $seatings } seatings: everybody holds everybody’s cards. Such a table is drawn and written into the { $ledger } before its first card is played.
in-the-ledger = ledger
seating-told = Who sits where is chosen so that the strengths become known as fast as possible. Only who has met whom how often decides, never who is ahead; one table in eight is drawn at random.{ $apart ->
    [yes] {" "}Bots of one author never share a table.
   *[no] { "" }
} A newcomer so comes up quickly, and old bots keep their turns.
pace-told = Tables are played without a pause until every bot’s interval is expected to be at most { $width } stakes wide, then { $trickle } an hour.
publishing-told = { $publish ->
    [at_once] Everybody may watch a match as soon as it is stored.
   *[season] Results are public at once; everybody may watch the matches once the season is over.
} Authors see at once what their own bots saw. Notes and what bots write to stderr are only their author’s.
final-told = The season ends with a final of the best { $bots }, { $deals ->
    [one] { $deals } deal
   *[other] { $deals } deals
} at each of their tables; its size is fixed beforehand, and only its own results count in it.
how-results-count = How results count
strength-counts = Stakes are what a bot is paid in a deal. <b>Strength</b> is stakes a deal as they would be had all met the same opponents, against the mean of the field. What counts is a <b>set</b>: a deal in all its seatings. If a seat is disqualified, the whole table counts for nothing.
intervals-count = An interval of the usual kind is right for somebody who looks once. A table that is always open is looked at all the time, and then some interval leaves out the truth sooner or later. The intervals and ranks here are wider: with 95 % certainty all of them hold at all times together. That is why they say <em>so far</em>.
faults-count = A <b>fault</b> (an answer that the rules forbid, no answer in time, an end of the program) loses the deal; too many in a match disqualify.{ $bench ->
    [yes] {" "}Three spoilt tables of the last ten, or three failed starts in a row, bench a bot until its author resumes it.
   *[no] { "" }
}
what-deal-pays = What a deal pays
what-bot-may-use = What a bot may use
# A limit of a bot.
limit = { $limit ->
    [move] move
    [start] start
    [max_faults] max faults
    [memory] memory
    [tasks] tasks
    [cpu_move] cpu move
    [cpu_match] cpu match
    [scratch] scratch
    [scratch_files] scratch files
    [output] output
    [stderr] stderr
   *[other] { $limit }
}
sandbox-told = It plays without a network, in its own sandbox.
every-rule = Every rule
column-key = key
column-value = value
column-about = about
changed = changed
nearest-preset = Nearest preset: { $preset }.

## What each rule means

rule-players = How many sit at the table: 3, 4 or 5. Three play each deal; others sit out.
rule-all-pass = When all pass: a table game is played, or the cards are thrown in with a collective pool, or just dealt again (redeal).
rule-deal-packets = How cards are dealt: four each, two to the talon, four each; or the talon last.
rule-deal-first-dealer = Who deals first: seat 0 (given), drawn by lot (random), or who draws the strongest card (high_card).
rule-deal-rotation = Who deals next: the player to the left, whatever happened.
rule-auction-mode = first_offer: the first who bids other than pass plays. ranked: everybody bids once, and the highest bid plays (ordinary, solo, blind, small solo).
rule-auction-contracts = What may be bid: ordinary, solo, small_solo, blind.
rule-auction-talon-decision = Whether the bid itself says if the talon is taken (in_bid), or the declarer says so afterwards (after_bid). With after_bid, solo is not bid but comes of giving the talon away.
rule-play-tricks = How many tricks are played.
rule-play-first-lead = Who leads to the first trick: the player to the dealer's left.
rule-scoring-ordinary = Stakes from each opponent to the declarer of an ordinary game: all tricks, 91 or more, 61 to 90, 31 to 60, 30 or fewer, no trick.
rule-scoring-solo = The same six rows for Zole, the game without the talon.
rule-scoring-blind = The same six rows for a blind game, declared before looking at the cards.
rule-scoring-small-solo = Stakes for Small Zole, made (no trick taken) and lost. All eight tricks are played; the talon is nobody's.
rule-scoring-talon-solo = Whose the talon is where nobody takes it: in Zole and Blind Zole the opponents'.
rule-table-talon = In a table game: the talon is not used, or it plays in the first two tricks like a player (last, or first where it leads).
rule-table-settlement = Who pays at the table: most tricks pays each other player; or most card points does; or fewest tricks collects from each.
rule-table-stake = What is paid at the table, to each.
rule-table-tiebreak = What decides between equal numbers of tricks.
rule-table-dead-tie = When two are equal in tricks and points: each pays the third (or, where the fewest collect, both collect from it). Three equal pay nothing.
rule-table-lead-after-talon = Who leads after the talon took the second trick.
rule-pools-enabled = Whether pools are played. They need all_pass = "pool", and a session of deals as the unit.
rule-pools-collective-stake = What each opponent pays the winner of a collective pool.
rule-pools-personal-stake = What the owner of a personal pool pays its winner.
rule-pools-won-by = Contracts that win a pool: the own one first (nothing is paid), then a collective one, then another's.
rule-pools-lost-by = Contracts whose loss makes a personal pool.
rule-pools-creation-needs = A lost game makes a personal pool only while any pool is on the table.
rule-pools-foreign-choice = Which of several other players' pools is won: the oldest.
rule-sitout-scoring = Whether those who sit out pay and are paid as opponents of the declarer, or not at all.
rule-sitout-in-table = Those who sit out have no part in a table game.
rule-surrender-declarer = Whether the declarer may give up: before the lead to the third trick, as with 31 to 60 points (Small Zole is lost); or never (off).
rule-surrender-defender = Whether a defender may offer to give up, which binds its partner; the declarer accepts (61 to 90) or plays on. Here once a deal for each defender, at its turn.
rule-conduct-move-limit-s = Seconds for a move.
rule-conduct-on-fault = What a fault costs: the deal is forfeited, or the first legal choice is played in its place (substitute).
rule-conduct-fault-payer = Who pays for a defender's fault: the offender alone, or its side as usual.
rule-conduct-corrections = How often an answer may be corrected, on the same clock, before it is a fault.
rule-conduct-max-faults = Faults in one match after which a bot is out of it.
