### What stands around every page: its head and foot, times and counts.

## The head and the foot

# The description for search engines; $page is the page's own title, with a mark behind it, or empty.
about-page = { $page }{ $title }: bots that play the card game Zole, their standings, matches and deals.
skip-to-page = Skip to the page
places = The five places
pages = Pages
page-standings = Standings
page-crosstable = Crosstable
page-matches = Matches
page-watch = Watch
page-play = Play
page-ledger = Ledger
page-rules = Rules
page-about = About
page-begin = Begin
page-own-bots = My bots
page-learn = Learn
page-build = Build
page-deals = Deals
page-table = Table
page-in-short = In short
page-guide = Guide
languages = Languages
# $name is the league's, all others are counts; $practice is "yes" where the seed is known.
league-so-far = { $name }: { $matches ->
    [one] { $matches } match
   *[other] { $matches } matches
}, { $games ->
    [one] { $games } game
   *[other] { $games } games
}, { $decisions ->
    [one] { $decisions } decision
   *[other] { $decisions } decisions
}{ $practice ->
    [yes] ; practice: its seed is known
   *[no] { "" }
}. As of { $moment }.
ledger-line = Line { $line } of the { $ledger } has the hash { $hash }
the-ledger = ledger
json-beside = Most pages are also available as JSON: add <code>.json</code> to the address.
the-api = The API
version = Zole Arena { $version }.
not-connected = Not connected: the page shows the last state it received.
load-again = Load it again
copy = Copy
copied = Copied
copy-by-hand = Select and copy it by hand
hash-is-right = ✓ it is the same, calculated by your browser
hash-is-wrong = ✗ it is not the same

## Times and counts

moment-utc = { $moment } UTC
length-days = { $count } d
length-hours = { $count } h
length-minutes = { $count } min
length-seconds = { $count } s
deals-numbered = { $count ->
    [one] deal { $first }
   *[other] deals { $first }–{ $last }
}
faults = { $count ->
    [one] { $count } fault
   *[other] { $count } faults
}
a-table = Table: { $label }
