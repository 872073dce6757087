### What stands around every page: its head and foot, times and counts.
###
### Not yet read over by a native player.

## The head and the foot

# The description for search engines; $page is the page's own title, with a mark behind it, or empty.
about-page = { $page }{ $title }: boti, kas spēlē kāršu spēli zoli, to tabula, spēles un partijas.
skip-to-page = Uz lapas saturu
places = Piecas vietas
pages = Lapas
page-standings = Tabula
page-crosstable = Krusta tabula
page-matches = Spēles
page-watch = Skatīties
page-play = Spēlēt
page-ledger = Virsgrāmata
page-rules = Noteikumi
page-about = Par
page-begin = Sākt
page-own-bots = Mani boti
page-learn = Mācīties
page-build = Veidot
page-deals = Partijas
page-table = Tabula
page-in-short = Īsumā
page-guide = Ceļvedis
languages = Valodas
# $name is the league's, all others are counts; $practice is "yes" where the seed is known.
league-so-far = { $name }: { $matches ->
    [zero] { $matches } spēles
    [one] { $matches } spēle
   *[other] { $matches } spēles
}, { $games ->
    [zero] { $games } izspēlētas partijas
    [one] { $games } izspēlēta partija
   *[other] { $games } izspēlētas partijas
}, { $decisions ->
    [zero] { $decisions } lēmumi
    [one] { $decisions } lēmums
   *[other] { $decisions } lēmumi
}{ $practice ->
    [yes] ; treniņš: sēkla ir zināma
   *[no] { "" }
}. Stāvoklis: { $moment }.
ledger-line = { $ledger } { $line }. rindas jaucējvērtība ir { $hash }
the-ledger = Virsgrāmatas
json-beside = Vairumam lapu blakus ir to skaitļi kā JSON: adreses beigās pierakstiet <code>.json</code>.
the-api = API
version = Zole Arena { $version }.
not-connected = Nav savienojuma: lapa rāda to, ko dzirdēja pēdējo.
load-again = Ielādēt vēlreiz
copy = Kopēt
copied = Nokopēts
copy-by-hand = Iezīmējiet un nokopējiet paši
hash-is-right = ✓ ir tas pats, izrēķināts jūsu pārlūkprogrammā
hash-is-wrong = ✗ nav tas pats

## Times and counts

moment-utc = { $moment } UTC
length-days = { $count } d.
length-hours = { $count } st.
length-minutes = { $count } min
length-seconds = { $count } s
deals-numbered = { $count ->
    [1] { $first }. partija
   *[other] { $first }.–{ $last }. partija
}
faults = { $count ->
    [zero] { $count } kļūdas
    [one] { $count } kļūda
   *[other] { $count } kļūdas
}
a-table = Tabula: { $label }
