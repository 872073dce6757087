### What the pages of a league say, on a site and in the report of a league.
###
### $bot, $one and other names are names of bots, which no language declines.

## The first page

bots-play = { $count ->
    [0] A league of bots that play the Latvian card game Zole.
    [one] { $count } bot plays the Latvian card game Zole, day and night.
   *[other] { $count } bots play the Latvian card game Zole against each other, day and night.
}
watch-or-sit-down = Watch a deal, sit down with them, or write one of your own, in any language.
league-paused = The organiser has paused the league: { $why }
bring-a-bot = Bring a bot
tables-now = At the tables now
no-tables-now = Nobody sits at a table at this moment
season-over = The season is over.
final-is-played = The season’s final is being played.
epoch-ends = Epoch { $epoch } ends { $when }.
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
left-versions = Versions that left
remarks-on-figures = { $count ->
    [one] { $count } remark on these figures
   *[other] { $count } remarks on these figures
}
made-the-same = { $one } and { $other } made the same in every set.
strength-told = Strength is in stakes per deal against the mean of the field. A bar is a 95 % interval that holds at all times: however often you look, the chance that any of them ever leaves out the truth is 5 %. How it is reckoned stands <a href="/rules#counting">in the rules</a>.
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
column-strength = strength
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
benched = benched
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

## Figures

growth-over = Strength in stakes a deal over { $sets }
growth-sets = { $count ->
    [one] { $count } set
   *[other] { $count } sets
}
growth-sets-each = { $count ->
    [one] { $count } set of each table
   *[other] { $count } sets of each table
}
