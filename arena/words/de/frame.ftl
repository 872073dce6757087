### What stands around every page: its head and foot, times and counts.
###
### Not yet read over by a native player.

## The head and the foot

# The description for search engines; $page is the page's own title, with a mark behind it, or empty.
about-page = { $page }{ $title }: Bots, die das Kartenspiel Zole spielen, ihre Rangliste, ihre Partien und Spiele.
skip-to-page = Zum Inhalt der Seite
places = Die fünf Orte
pages = Seiten
page-standings = Rangliste
page-crosstable = Kreuztabelle
page-matches = Partien
page-watch = Zuschauen
page-play = Spielen
page-ledger = Journal
page-rules = Regeln
page-about = Über
page-begin = Einstieg
page-own-bots = Meine Bots
page-learn = Lernen
page-build = Bauen
page-deals = Spiele
page-table = Tabelle
page-in-short = Kurz erklärt
page-guide = Anleitung
languages = Sprachen
# $name is the league's, all others are counts; $practice is "yes" where the seed is known.
league-so-far = { $name }: { $matches ->
    [one] { $matches } Partie
   *[other] { $matches } Partien
}, { $games ->
    [one] { $games } Spiel
   *[other] { $games } Spiele
}, { $decisions ->
    [one] { $decisions } Entscheidung
   *[other] { $decisions } Entscheidungen
}{ $practice ->
    [yes] ; zur Übung, mit bekanntem Startwert
   *[no] { "" }
}. Stand: { $moment }.
# The ledger's name stands in the genitive here.
ledger-line = Zeile { $line } des { $ledger } hat den Hash { $hash }
the-ledger = Journals
json-beside = Die Zahlen der meisten Seiten gibt es auch als JSON: Häng <code>.json</code> an die Adresse an.
the-api = Die API
version = Zole Arena { $version }.
not-connected = Keine Verbindung: Die Seite zeigt, was sie zuletzt erfahren hat.
load-again = Neu laden
copy = Kopieren
copied = Kopiert
copy-by-hand = Markier und kopier es von Hand
hash-is-right = ✓ stimmt überein, von deinem Browser nachgerechnet
hash-is-wrong = ✗ stimmt nicht überein

## Times and counts

moment-utc = { $moment } UTC
length-days = { $count } Tg.
length-hours = { $count } Std.
length-minutes = { $count } Min.
length-seconds = { $count } Sek.
deals-numbered = { $count ->
    [one] Spiel { $first }
   *[other] Spiele { $first }–{ $last }
}
faults = { $count ->
    [one] { $count } Verstoß
   *[other] { $count } Verstöße
}
a-table = Tabelle: { $label }
