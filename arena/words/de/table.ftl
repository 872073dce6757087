### What people read at a table, in a replay and in a terminal.
###
### $who says who does something: "you", "talon", or "other" with a $name. { CARD($card) } is a card,
### in the case that is asked for: { CARD($card, case: "accusative") } is made by the message card.

## Cards

suit = { $suit ->
    [clubs] Kreuz
    [spades] Pik
    [hearts] Herz
   *[diamonds] Karo
}
rank = { $rank ->
    [ace] Ass
    [king] König
    [queen] Dame
    [jack] Bube
    [ten] Zehn
    [nine] Neun
    [eight] Acht
   *[seven] Sieben
}
card = { suit }-{ rank }
# What stands in a card's corner.
index = { $rank ->
    [ace] A
    [king] K
    [queen] D
    [jack] B
    [ten] 10
    [nine] 9
    [eight] 8
   *[seven] 7
}
card-face-down = verdeckte Karte

## Who, and where

place = { $place ->
    [you] Du
    [left] Links
    [right] Rechts
    [across] Gegenüber
    [far-left] Hinten links
   *[far-right] Hinten rechts
}
# Two bots have the same name.
name-and-place = { $name } ({ $place ->
    [left] links
    [right] rechts
    [across] gegenüber
    [far-left] hinten links
   *[far-right] hinten rechts
})
# The name of a player within a sentence.
name = { $who ->
    [you] du
    [talon] der Talon
   *[other] { $name }
}

## Games

game = { $game ->
    [ordinary] Normalspiel
    [solo] Zole
    [small_solo] Kleine Zole
    [blind] Blinde Zole
    [table] Ramsch
   *[thrown_in] eingepasst
}
a-game = { $game ->
    [ordinary] ein Normalspiel
    [solo] eine Zole
    [small_solo] eine Kleine Zole
    [blind] eine Blinde Zole
    [table] einen Ramsch
   *[thrown_in] ein eingepasstes Spiel
}
no-game = kein Spiel
# What somebody said in the auction, as it stands beside the name.
word = { $word ->
    [pass] gepasst
    [ordinary] Spielen
    [solo] Zole
    [small_solo] Kleine Zole
    [blind] Blinde Zole
    [take] Talon genommen
   *[give] Talon abgegeben
}

# An answer in a list of moves.
answer-word = { $word ->
    [pass] Passen
    [ordinary] Spielen
    [solo] Zole
    [small_solo] Kleine Zole
    [blind] Blinde Zole
    [take] Talon nehmen
    [give] Talon abgeben
    [yes] Ja
    [no] Nein
   *[offer] Aufgeben anbieten
}

## What happens

points = { $count ->
    [one] { $count } Auge
   *[other] { $count } Augen
}
tricks = { $count ->
    [one] { $count } Stich
   *[other] { $count } Stiche
}
cards = { $count ->
    [one] { $count } Karte
   *[other] { $count } Karten
}
stakes = { $count ->
    [one] { $amount } Spielpunkt
   *[other] { $amount } Spielpunkte
}
deal-number = Spiel { $deal }
the-days-deal = Spiel des Tages
played-again = Noch einmal gespielt
dealing = { $who ->
    [you] Du gibst.
   *[other] { $name } gibt.
}
you-sit-out = Du setzt in diesem Spiel aus.
forehand-is = { $who ->
    [you] Du sitzt in Vorhand.
   *[other] { $name } sitzt in Vorhand.
}
deal-begins = Spiel { $deal }.
blind-declared = { $who ->
    [you] Du sagst Blinde Zole an.
   *[other] { $name } sagt Blinde Zole an.
}
blind-not-declared = { $who ->
    [you] Du nimmst deine Karten auf.
   *[other] { $name } nimmt die Karten auf.
}
passes = { $who ->
    [you] Du passt.
   *[other] { $name } passt.
}
bids = { $who ->
    [you] Du sagst
   *[other] { $name } sagt
} { $bid ->
    [ordinary] „Spielen“
    [solo] Zole
    [small_solo] Kleine Zole
   *[blind] Blinde Zole
} an.
talon-taken = { $who ->
    [you] Du nimmst den Talon.
   *[other] { $name } nimmt den Talon.
}
talon-given = { $who ->
    [you] Du gibst den Talon ab.
   *[other] { $name } gibt den Talon ab.
}
plays-against = { $who ->
    [you] Du bist Alleinspieler und spielst { a-game }.
   *[other] { $name } ist Alleinspieler und spielt { a-game }.
}
all-pass-table = Alle passen: Ramsch. Mach möglichst wenige Stiche.
all-pass-thrown-in = Alle passen: Die Karten werden zusammengeworfen.
plays-card = { $who ->
    [you] Du spielst { CARD($card) }.
    [talon] Der Talon spielt { CARD($card) }.
   *[other] { $name } spielt { CARD($card) }.
}
lays-aside = { $who ->
    [you] Du drückst { CARD($card) } und { CARD($second) }.
   *[other] { $name } drückt { CARD($card) } und { CARD($second) }.
}
# $count are the points of the trick, $trick is its number.
trick-taken = { $who ->
    [you] Stich { $trick } geht an dich, { points }.
    [talon] Stich { $trick } geht an den Talon, { points }.
   *[other] Stich { $trick } geht an { $name }, { points }.
}
gives-up = { $who ->
    [you] Du gibst auf.
   *[other] { $name } gibt auf.
}
offers = { $who ->
    [you] Du bietest an, aufzugeben.
   *[other] { $name } bietet an, aufzugeben.
}
offer-accepted = Das Angebot wird angenommen.
offer-refused = Das Spiel geht weiter.
# $fault and $detail are the arena's own words.
fault-of = { $who ->
    [you] Dein Verstoß: { $fault }, { $detail }.
   *[other] Verstoß von { $name }: { $fault }, { $detail }.
}
plays-on = { $who ->
    [you] Du spielst weiter.
   *[other] { $name } spielt weiter.
}

## At the table

table = Der Tisch
declarer = Alleinspieler
dealer = Geber
forehand = Vorhand
sits-out = Pause
bot-stands-in = ein Bot spielt
bot-stood-in = Ein Bot hat für dich gespielt.
defender = Gegenspieler
talon = Talon
talon-of-defenders = Talon, zählt für die Gegenpartei
hands-as-dealt = Karten wie gegeben
laid-aside = gedrückt
the-trick = Der Stich
led = Anspiel
you-lead-here = du spielst aus
your-card-here = deine Karte
the-auction = Ansage
table-game = Ramsch
table-goal = { $settlement ->
    [most_points_pays] Ramsch: Wer die meisten Augen hat, verliert
    [fewest_tricks_collects] Ramsch: Wer die wenigsten Stiche hat, gewinnt
   *[other] Ramsch: Wer die meisten Stiche, dann Augen hat, verliert
}
thrown-in = Eingepasst
declares-game = Alleinspieler: { game }
game-declared = { $who ->
    [you] { $game ->
        [ordinary] Normalspiel, du spielst allein
        [solo] Zole, du spielst allein
        [small_solo] Kleine Zole, du spielst allein
       *[blind] Blinde Zole, du spielst allein
    }
   *[other] { $game ->
        [ordinary] Normalspiel, { $name } spielt allein
        [solo] Zole, { $name } spielt allein
        [small_solo] Kleine Zole, { $name } spielt allein
       *[blind] Blinde Zole, { $name } spielt allein
    }
}
# Points of one side, and how many it needs; $more is "yes" where cards are not seen that count for it.
declarer-has = { $who ->
    [you] Du
   *[other] { $name }
}: { $count }{ $more ->
    [yes] +
   *[no] { "" }
} { $reached ->
    [yes] ✓
   *[no] von 61
}
needs-points = { $count ->
    [0] { $name } hat die 61 Augen.
    [one] { $name } braucht noch { $count } Auge.
   *[other] { $name } braucht noch { $count } Augen.
}
side-has = { $side ->
    [others] Gegenpartei
    [yours] Deine Seite
   *[defenders] Gegenpartei
}: { $count }{ $more ->
    [yes] +
   *[no] { "" }
} { $reached ->
    [yes] ✓
   *[no] von 60
}
on-the-table = { $count } auf dem Tisch
may-take-none = { $who ->
    [you] Du darfst keinen Stich machen
   *[other] { $name } darf keinen Stich machen
}
talon-has = Talon: { points }
pools = Töpfe: { $pools }
pools-collective = { $count } gemeinsam

## Questions

your-turn-to-bid = Du bist dran: Was sagst du an?
ask-blind = Blinde Zole ansagen, bevor du deine Karten siehst?
ask-talon = Nimmst du den Talon und drückst zwei Karten, oder überlässt du ihn der Gegenpartei und spielst eine Zole?
ask-discard = Du hast den Talon. Drück zwei Karten.
ask-offer = { $name } bietet an, aufzugeben: Du gewinnst dann wie mit 61 bis 90 Augen. Annehmen?
ask-lead = Du bist dran: Spiel eine Karte aus.
ask-card = Du bist dran: { $who ->
    [talon] Der Talon
   *[other] { $name }
} hat { CARD($card) } ausgespielt{ $trump ->
    [yes] , einen Trumpf
   *[no] { "" }
}.
answer-blind = { $blind ->
    [yes] Blinde Zole ansagen
   *[no] Karten aufnehmen
}
# The buttons of an auction; $next is "yes" where the talon is decided afterwards.
answer-bid = { $bid ->
    [pass] Passen
    [ordinary] Spielen
    [solo] Zole
    [small_solo] Kleine Zole
   *[blind] Blinde Zole
}
# What a bid means, below it.
answer-bid-more = { $bid ->
    [ordinary] { $next ->
        [yes] dann über den Talon entscheiden
       *[no] Normalspiel mit Talon
    }
    [solo] ohne Talon
   *[small_solo] kein Stich
}
# Before two rows of stakes: what a game pays, and what it costs.
tile-wins = Gewinn { $range }
tile-loses = Verlust { $range }
tiles-pay = Deine Spielpunkte von allen Gegnern zusammen
answer-talon = { $choice ->
    [take] Talon nehmen
   *[give] Talon abgeben, Zole spielen
}
answer-play-on = Weiterspielen
answer-give-up = Aufgeben
answer-accept = Annehmen
answer-offer = Aufgeben anbieten
# On a narrow window, and once it was pressed.
answer-offer-short = Spiel aufgeben
play-rest = Rest spielen
play-rest-short = Rest
really-offer = Wirklich? { $stakes }
# What conceding means, while it is pressed again.
offer-binds = Der Alleinspieler darf ablehnen. Dein Angebot bindet auch deinen Partner.
conceding-pays = Du zahlst wie mit 31 bis 60 Augen.
lay-aside = { $cards } drücken
choose-more = { $count ->
    [one] Noch { $count } Karte wählen
   *[other] Noch { $count } Karten wählen
}
why-not-trumps = Trumpf ist angespielt, du musst bedienen: Damen, Buben und Karo sind Trumpf.
why-not-suit = { $suit ->
    [clubs] Kreuz
    [spades] Pik
   *[hearts] Herz
} ist angespielt, du musst bedienen.{ $trump ->
    [yes] {" "}{ CARD($card) } ist Trumpf.
   *[no] { "" }
}
refused = Die Antwort wurde abgelehnt: { $why }. Wähl noch einmal.
on-at-once = { $touch ->
    [yes] Tippen: sofort weiter.
   *[no] Klick oder Leertaste: sofort weiter.
}
other-tab-asked = Antworte im anderen Tab.
waiting-for = Warten auf { $name } …
waiting-for-offer = Dein Angebot: Warten auf { $name } …
invite-friends = Freunde einladen
invite-helps = Jeder Link öffnet einen Platz. Das erste Spiel beginnt, sobald alle da sind.
waiting-for-others = Warten auf die anderen …
waiting-for-deal = Warten auf das erste Spiel …
thinking = Denke nach …
hint-is = Tipp: { $answer }.

## The table's page

you = Du { $stakes }
your-turn-title = ● Du bist dran - Zole
settings = Einstellungen
keys = Tasten
help = Hilfe
trumps = Trümpfe
trumps-elsewhere = { $count ->
    [one] { $count } Trumpf ist weder gespielt noch in deinem Blatt.
   *[other] { $count } Trümpfe sind weder gespielt noch in deinem Blatt.
}
trumps-frames = Gerahmt: deine. Grau: nicht mehr im Spiel.
# Of a card, in the list of all: what has become of it.
card-gone = , gespielt oder gedrückt
card-yours = , deine
help-trumps = Trümpfe, höchster zuerst
help-trumps-order = Alle Trümpfe sind eine Farbe: Damen, dann Buben, jeweils in der Reihenfolge Kreuz, Pik, Herz, Karo; danach die übrigen Karo.
help-suits = Übrige Farben, höchste zuerst
help-points = Augen der Karten
help-points-each = Ass 11, Zehn 10, König 4, Dame 3, Bube 2, andere 0; zusammen 120
help-terms = Wörter und Zeichen
means-declarer = hat angesagt, allein zu spielen, und gewinnt ab 61 der 120 Augen. Die anderen sind die Gegenpartei.
means-forehand = sitzt links vom Geber, sagt zuerst an und spielt zum ersten Stich aus. Der Geber wechselt nach links.
means-trick = eine Karte von jedem. Wer kann, bedient die angespielte Farbe; sonst ist jede Karte erlaubt. Der höchste Trumpf nimmt ihn, sonst die höchste Karte der angespielten Farbe; wer ihn macht, spielt zum nächsten aus.
means-talon = die zwei Karten, die beim Geben übrig bleiben. Im Normalspiel nimmt sie der Alleinspieler, in der Zole zählen sie für die Gegenpartei.{ $turned ->
    [yes] {" "}Im Ramsch werden sie zu den ersten zwei Stichen aufgedeckt.
   *[no] {" "}Im Ramsch zählen sie für niemanden.
}
means-play = die Ansage, allein mit dem Talon zu spielen: Zwei Karten werden gedrückt, 61 Augen gewinnen.
means-zole = die Ansage, allein ohne den Talon zu spielen, um mehr Spielpunkte.
means-table-game = Alle haben gepasst: Jeder spielt für sich. Wer die meisten Stiche hat, verliert; bei Gleichstand, wer mehr Augen hat.
means-stakes = was ein Spiel bringt oder kostet; sie zählen über die ganze Partie. Augen entscheiden nur das einzelne Spiel.
means-concede = ein Spiel verloren geben, wo die Regeln es erlauben. Der Alleinspieler darf das bis zum Ende des zweiten Stichs und zahlt wie mit 31 bis 60 Augen. Jeder Gegenspieler darf es einmal anbieten, wenn er am Zug ist; der Alleinspieler nimmt an und bekommt wie mit 61 bis 90, oder er spielt weiter.
means-hint = die Antwort, die am besten abschnitt, als viele Verteilungen, die zum Gesehenen passen, zu Ende gespielt wurden, als sähen alle alle Karten.
ring = Gelber Rand
means-ring = Diese Karte darfst du spielen. Gestrichelt ist er ein Tipp.
edge = Farbiger Rand
means-edge = die Karte, die den Stich bis jetzt macht.
plus = 0+
means-plus = die bisherigen Augen; dazu kommen zwei Karten, die man nicht sieht: die gedrückten des Alleinspielers oder, bei Zole, der Talon, der für die Gegenpartei zählt.
# The figures of docs/strategy.md, roughly.
help-thumb = Faustregeln
thumb-play = mit fünf Trümpfen, darunter zwei Damen, und einem Ass anderer Farbe oder mit sechs Trümpfen, darunter zwei Damen. Haben beide gepasst, genügt weniger: Auch sie sind schwach.
thumb-zole = mit sieben Trümpfen und einem Ass anderer Farbe, mit sechs und zwei solchen Assen oder mit acht Trümpfen.
thumb-declarer = drückt zwei Karten so, dass eine Farbe ganz fehlt: eine einzelne Karte oder eine Zehn mit ihrem König; Asse und Trümpfe bleiben. Spielt den höchsten Trumpf aus, solange ihn keine Karte schlägt, dann ein Ass.
thumb-defender = spielt andere Farben aus, nicht Trumpf. Gibt ein Ass oder eine Zehn in den Stich des Partners, wenn der Alleinspieler schon gelegt hat, nicht vorher.
help-rules = So spielt man Zole
leave = Verlassen
close = Schließen
stay = Bleiben
connecting = Verbindung wird aufgebaut …
your-cards = Deine Karten
nearest-hand = Das vorderste Blatt
what-is-asked = Deine Antworten
last-trick = Letzter Stich
hint = Tipp
give-up-later = Du gibst vor dem nächsten Ausspiel auf.
give-up-not = Nicht aufgeben
another-tab = Auf diesem Platz spielst du in einem anderen Tab oder Fenster; hier siehst du nur zu.
play-here = Hier spielen
connection-lost = Die Verbindung ist unterbrochen. Neuer Versuch …
answered-already = Diese Frage ist schon beantwortet, oder die Zeit war abgelaufen.
answer-lost = Die Antwort ist noch nicht angekommen. Sie wird erneut gesendet, bis sie ankommt.
leaving-lost = Das Verlassen hat nicht geklappt. Versuch es noch einmal.
site-silent = Die Website antwortet nicht. Versuch es noch einmal.
not-taken = Der Server hat es nicht angenommen.
your-time = Deine Bedenkzeit
seconds-left = { $count ->
    [one] Noch { $count } Sekunde
   *[other] Noch { $count } Sekunden
}
leave-title = Die Partie verlassen?
replay-title = Das noch einmal spielen?
leave-for-replay = Du spielst es an einem neuen Tisch. Diese Partie wartet auf dich.
leave-retry = Das wiederholte Spiel endet hier.
leave-guest = Sie wartet eine Viertelstunde, während du dich umsiehst, und so lange du das Spiel des Tages spielst. Hast du sie verlassen, kannst du nicht zurück.
look-around = Umsehen
leave-friend = An deinem Platz spielt ein Bot weiter, solange ein Freund bleibt. Diese Seite führt dorthin zurück.
leave-person = Du kannst nicht zurück: Dein Platz verliert dieses Spiel und jedes weitere, in dem er gefragt wird.
skip-title = Lektion überspringen?
leave-lesson = Du kannst sie später nachholen: Die Hilfe (?) an jedem Tisch führt zu ihr zurück.
browser-keeps = Dieser Browser merkt sich deine Auswahl.
setting-language = Sprache
setting-pace = Die anderen spielen
setting-deck = Karten
setting-sound = Kartengeräusche
choice = { $choice ->
    [briskly] zügig
    [calmly] gemütlich
    [at-once] sofort
    [four-colours] vier Farben
    [classic] klassisch
    [large-index] große Eckzeichen
    [off] aus
   *[on] an
}
key-move = zur vorigen oder nächsten Karte oder Antwort
key-enter = diese Karte spielen, diese Antwort geben; am Ende eines Spiels: nächstes Spiel
key-space = sofort weiter, während die anderen spielen oder ein Stich noch liegt
key-number = die Karte oder Antwort mit dieser Nummer
key-trumps = Trümpfe, Augen und was ein Spiel bringt
key-last-trick = den letzten Stich noch einmal ansehen, oder zurück zum laufenden
key-hint = ein Tipp, der nichts kostet
key-offer = Aufgeben anbieten: in der Gegenpartei, wo die Regeln es erlauben
key-give-up = vor dem nächsten Stich aufgeben oder doch nicht: im Alleinspiel, wo die Regeln es erlauben
key-play-rest = wenn ein Spiel entschieden ist: die letzten Karten nach Tipps für dich spielen
key-help = diese Hilfe

## The score sheet

score-sheet = Spielliste
total-after = Stand danach
deal = Spiel
deals-listed = Die Spiele
now = Stand
in-the-pools = Offene Töpfe: { $pools }.
what-happened = Spielverlauf
this-deal = Dieses Spiel
what-it-pays = Spielpunkte
this-game-pays = Spielpunkte in diesem Spiel
most-points-pay = { $count ->
    [one] Wer die meisten Augen macht, zahlt allen anderen je { $count } Spielpunkt.
   *[other] Wer die meisten Augen macht, zahlt allen anderen je { $count } Spielpunkte.
}
table-tie = { $settlement ->
    [fewest_tricks_collects] Bei gleich vielen Stichen gewinnt, wer weniger Augen hat.
    [most_points_pays] Bei gleich vielen Augen zahlt, wer mehr Stiche hat; ist beides gleich, zahlt jeder der zwei dem Dritten { $stake }.
   *[most_tricks_pays] Bei gleich vielen Stichen zahlt, wer mehr Augen hat; ist beides gleich, zahlt jeder der zwei dem Dritten { $stake }.
}
declarer-takes = Alleinspieler macht
from-each = von jedem
level = { $level ->
    [all_tricks] alle Stiche
    [ge91] ab 91 Augen
    [ge61] 61 bis 90 Augen
    [from_31] 31 bis 60 Augen
    [le30] höchstens 30 Augen
    [no_tricks] keinen Stich
    [made] keinen Stich: gewonnen
   *[lost] einen Stich: verloren
}
tier-paid = { $level }: { $won ->
    [yes] der Alleinspieler bekommt { $count } von jedem
   *[no] der Alleinspieler zahlt { $count } an jeden
}.
most-tricks-pay = { $count ->
    [one] Wer die meisten Stiche macht, zahlt allen anderen je { $count } Spielpunkt.
   *[other] Wer die meisten Stiche macht, zahlt allen anderen je { $count } Spielpunkte.
}
fewest-tricks-win = { $count ->
    [one] Wer die wenigsten Stiche macht, bekommt von allen anderen je { $count } Spielpunkt.
   *[other] Wer die wenigsten Stiche macht, bekommt von allen anderen je { $count } Spielpunkte.
}

## The end of a deal, and of a match

deal-over = Das Spiel ist zu Ende
deal-won = { $count ->
    [one] Du gewinnst { $count } Spielpunkt
   *[other] Du gewinnst { $count } Spielpunkte
}
deal-lost = { $count ->
    [one] Du verlierst { $count } Spielpunkt
   *[other] Du verlierst { $count } Spielpunkte
}
deal-even = Du gewinnst und verlierst nichts
deal-sat-out = Du hast ausgesetzt
# What is shown of a deal that is over.
part = { $part ->
    [result] Ergebnis
    [tricks] Stiche
    [review] Analyse
   *[same] Gleiche Karten
}
levels-play = Bots aller Stärken spielen diese Karten …
levels-silent = Gerade kann kein Bot diese Karten spielen.
same-cards-told = Dieselben Karten auf deinem Platz, je einmal gespielt von einem Bot jeder Stärke; auch Glück ist dabei:
one-deal-is-luck = Ein einzelnes Spiel ist auch Glück: Auch die bessere Karte kann verlieren.
first-time = Beim ersten Mal: { $amount }.
try-again-here = Von hier aus noch einmal versuchen
play-these-again = Diese Karten noch einmal spielen
strength = { $level ->
    [beginner] Anfänger
    [club] Vereinsspieler
    [strong] Starker Spieler
   *[master] Meister
}
# $day is a date, $amount stakes with their sign.
day-result = Spiel des Tages, { $day }: { $amount }{ $with ->
    [points] {" "}mit { points }
   *[nothing] { "" }
}.
day-first = Vor dir hat es noch niemand gespielt.
day-bots = Bots mit denselben Karten: { $made }.
day-others = { $count ->
    [one] { $count } anderer hat es gespielt
   *[other] { $count } andere haben es gespielt
}: schlechter { $less }, gleich { $same }, besser { $more }. Bei gleichen Spielpunkten zählen die Augen.
day-better-than = { $count ->
    [one] Besser als { $share } % von { $count } anderen.
   *[other] Besser als { $share } % von { $count } anderen.
}
to-the-end = Endstand
trick-before = Der Stich davor
trick-after = Der nächste Stich
next-deal = Nächstes Spiel
what-it-paid = Abrechnung
seat = Platz
in-all = gesamt
looking-for-better = Suche nach besseren Zügen …
what-would-be-better = Bessere Züge
no-mistake = Kein klarer Fehler, gemessen an dem, was du wissen konntest.
no-clear-mistake = Kein klarer Fehler. Du hast richtig gewählt, als am meisten auf dem Spiel stand: { $where }.
was-right = { $given } war richtig.
cards-decided = Hätten alle alle Karten gesehen, wäre keine andere deiner Karten besser gewesen.
in-hindsight = { $where }: Hätten alle alle Karten gesehen, wäre { $better } besser gewesen.
better = { $best } war besser als { $given }: im Schnitt { $loss } Spielpunkte mehr.
better-plain = { $best } war besser als { $given }.
close-calls = Besser, aber zu knapp für einen Fehler:
where-deal = Spiel { $deal }
where-trick = Stich { $trick }
ask = { $ask ->
    [blind] Blind
    [bid] Ansage
    [talon] Talon
    [discard] Drücken
    [surrender] Aufgeben
    [offer] Angebot
   *[play] Karte
}
dearest-moments = Deine teuersten Fehler
course-of-match = Der Stand aller Spieler nach jedem Spiel
match-over = Die Partie ist zu Ende
match-place = { $of ->
    [deal] Das Spiel
   *[match] Die Partie
} ist zu Ende: { $stands ->
    [won] Du hast gewonnen
    [shared] geteilter Platz { $place } von { $players }
   *[other] Platz { $place } von { $players }
}.
you-have-left = Du hast die Partie verlassen.
come-back = Zurück an den Tisch
back-to-match = Zurück zur Partie
disqualified = Dein Platz hatte zu viele Verstöße und wurde disqualifiziert.
play-again = Noch eine Partie
play-a-match = Eine Partie spielen
other-bots = Andere Bots
the-standings = Die Rangliste
may-close = Du kannst diese Seite schließen. { $play } beginnt eine neue Partie; { $replay } zeigt eine, die mit { $record } aufgezeichnet wurde, noch einmal.
this-table = Dieser Tisch
bots-play-here = An diesem Tisch spielen Bots: { $names }.{ $day ->
    [yes] { "" }
   *[no] {" "}Die Partie wird nicht gewertet.
}
day-same-cards = Spiel des Tages: Alle spielen heute diese Karten, und das erste Mal zählt.
watch = zuschauen
friends-may-watch = Deine Freunde können { $watch } und sehen, was alle am Tisch sehen, nach jedem Spiel auch die Blätter.
see-it-again = Noch einmal ansehen
see-again-card-by-card = { $link }, Karte für Karte.
share = { $what ->
    [result] Ergebnis teilen
    [replay] Wiederholung teilen
   *[link] Link teilen
}
address-copied = Die Adresse ist kopiert.
the-log = Das Protokoll
log-is-yours = { $link } enthält jeden Zug als Text. Partie und Protokoll werden hier einen Monat lang aufbewahrt.

## The guided first deals: at most 15 words at a time

coach = Coach
go-on = Weiter
skip = Überspringen
learn = In fünf Minuten lernen
learnt = Du weißt genug, um zu spielen
learnt-helps = Der Tisch umrandet, was du spielen darfst. Als Alleinspieler spielst du den höchsten Trumpf aus, solange ihn niemand schlägt, dann ein Ass. Faustregeln haben Ausnahmen: Etwa jedes siebte Mal ist eine andere Karte besser. Ein Tipp probiert deine Karten in vielen Verteilungen aus, die zum Gesehenen passen. Die Hilfe (?) an jedem Tisch führt zu dieser Lektion zurück.
learnt-match = Hier gab Juris zweimal hintereinander; am Tisch gibt reihum jeder, nach links. Wer nach dem letzten Spiel die meisten Spielpunkte hat, gewinnt die Partie.
start-playing = Jetzt spielen
anna = Anna
juris = Juris
coach-welcome = Willkommen! Drei Spieler haben je acht Karten; die zwei in der Mitte sind der Talon.
coach-trick = Ein Stich: Jeder legt eine Karte, und die höchste gewinnt alle drei.
coach-passed = Jeder darf ansagen, allein zu spielen. Diesmal will keiner: Wer die meisten Stiche macht, verliert.
coach-trumps = Damen, Buben und Karos sind Trumpf: Sie stechen alle anderen. Höchste zuerst, deine gerahmt.
coach-suits = Kreuz, Pik und Herz haben nur je vier Karten, von oben: Ass, Zehn, König, Neun.
coach-lead-low = Du willst keine Stiche: Spiel die Pik-Neun aus. Gelb umrandet: Karten, die du spielen darfst.
coach-lead-lower = Damit könntest du den Stich machen. Beginn mit der kleinen Pik-Neun.
coach-suit-first = Trümpfe machen oft den Stich: Heb sie auf. Spiel die Pik-Neun aus.
coach-no-ace = Ein Ass schlägt nur ein Trumpf. Beginn mit der kleinen Neun.
coach-highest = Annas Zehn ist das höchste Pik: Sie macht diesen Stich und spielt aus.
coach-follow = Herz ist angespielt, du musst bedienen. Dein Ass würde gewinnen: Spiel den König.
coach-ace-wins = Dein Ass schlägt die Zehn und macht den Stich. Spiel den König.
coach-void = Du hast kein Kreuz: Jede Karte ist erlaubt. Wirf das Pik-Ass ab!
coach-off-suit = Dein Ass ist weder Kreuz noch Trumpf: Es kann nicht gewinnen. Annas Zehn gewinnt.
coach-trump-takes = Ein Trumpf würde diesen Stich machen, und du willst keinen. Wirf ein Ass ab.
coach-other-ace = Das ist ebenso gut. Aber wirf diesmal das Pik-Ass ab.
coach-trump-led = Trumpf ist angespielt: bedienen! Die Dame würde gewinnen. Spiel die Neun, behalte die Sieben.
coach-lower-later = Auch sicher. Doch kleine Karten machen später kaum Stiche: Spiel die Neun, behalte die Sieben.
coach-queen-takes = Damen schlagen Buben: Du würdest den Stich machen. Spiel die Neun.
coach-rest = Juris macht den Stich und spielt aus. Die übrigen Karten spiele ich für dich.
coach-trumped = Anna hat kein Kreuz mehr: Ihre Karo-Zehn, ein Trumpf, sticht den König.
coach-queens = Damen gehen Kreuz, Pik, Herz, Karo: Annas Dame macht den letzten Stich.
coach-end-few = Anna hat die meisten Stiche und zahlt euch je zwei Spielpunkte: So wird abgerechnet.
coach-end-tie = Bei gleich vielen Stichen entscheiden die Augen: dazu später. Der Talon zählt nicht.
coach-pass = Du sagst zuerst an: Vorhand, links vom Geber (im Uhrzeigersinn). Ohne Dame: Tipp auf „Passen“.
coach-too-weak = Deine Trümpfe sind zu klein, um allein zu spielen. Tipp auf „Passen“.
coach-partners = Anna sagt „Spielen“: Damit endet die Ansage. Sie spielt allein und ist Alleinspieler.
coach-exchanged = Sie hat den Talon genommen und zwei Karten gedrückt. Ihr zwei seid die Gegenpartei.
coach-plus = „0+“ heißt: Annas zwei gedrückte Karten zählen für sie mit.
coach-had-ace = Pech: Anna hatte das Ass. Sie macht den Stich und spielt aus.
coach-points = Karten haben Augen: Ass 11, Zehn 10, König 4, Dame 3, Bube 2, sonst 0.
coach-sides = Hier zählen die Augen der Stiche: Anna braucht 61 von 120, ihr zwei 60.
coach-lead-ace = Die Vorhand spielt auch zuerst aus. Spiel das Ass: Nur ein Trumpf schlägt es.
coach-why-ace = Dein Ass bringt mehr Augen, und nur ein Trumpf schlägt es. Spiel das Ass.
coach-partner-gave = Juris gibt seine Zehn zu, sie zählt für euch: Zusammen habt ihr { points }.
coach-lead-nothing = Spiel die Herz-Neun aus: Sie kostet keine Augen, und vielleicht nimmt Juris sie.
coach-why-nothing = Heb Trümpfe für spätere Stiche auf. Die Herz-Neun hat keine Augen.
coach-other-nine = Auch sie hat keine Augen. Aber das Herz-Ass hat vielleicht Juris.
coach-give = Trumpf ist angespielt, Juris’ Dame ist höher. Du spielst zuletzt: Leg die Zehn dazu!
coach-partner-has-it = Dein Partner hat diesen Stich schon: Gib ihm die Zehn.
coach-take = Du hast kein Pik: Stich ein. Anna kommt zuletzt, also mit dem höchsten: dem Buben.
coach-jack-safer = Gute Idee, aber ein höherer Trumpf ist hier sicherer. Nimm den Buben.
coach-trump-it = Dann würde Anna den Stich machen. Stich mit dem Buben!
coach-took = Dein Trumpf schlägt sogar Annas Ass: { points }. Die nächsten Karten spiele ich für dich.
coach-defended = { points }: Anna kann keine 61 mehr erreichen. Du und Juris habt gewonnen!
coach-end-defended = Anna hat 61 Augen verfehlt: Sie zahlt euch beiden je zwei Spielpunkte.
coach-end-worse = Mit 30 Augen oder weniger zahlt sie drei, ohne Stich vier.
coach-strong = Faustregel: Sag „Spielen“ mit mindestens fünf Trümpfen, darunter zwei Damen, und einem Ass anderer Farbe.
coach-talon = „Spielen“ heißt: Talon nehmen, zwei Karten drücken und allein 61 Augen machen.
coach-bid = Tipp auf „Spielen“: Du gewinnst insgesamt 2 bis 6 Spielpunkte oder verlierst 4 bis 8.
coach-too-strong = So starke Karten sind eine Ansage wert. Tipp auf „Spielen“!
coach-no-solo = In der Zole fehlt dir der Talon. Mit diesen Karten ist „Spielen“ sicherer.
coach-discard = Drück Zehn und König in Herz: Ihre { $count } Augen zählen für dich.
coach-why-hearts = Besser Herz-Zehn und -König: Ihre Augen bleiben dir, und Herz kannst du stechen.
coach-draw = Deinen höchsten Trumpf schlägt niemand: Spiel ihn aus. Beide müssen Trumpf zugeben.
coach-why-draw = Zieh zuerst ihre Trümpfe, damit sie dein Ass nicht stechen: mit der Kreuz-Dame.
coach-highest-first = Das ist fast so gut. Aber beginn mit der höchsten: der Kreuz-Dame.
coach-draw-again = Schon { points }. Jetzt schlägt auch die Pik-Dame niemand: Spiel sie aus.
coach-why-again = Anna und Juris haben noch Trümpfe. Spiel zuerst die Pik-Dame aus.
coach-cash = { points }. Deinen höchsten Trumpf schlagen jetzt Buben und Damen: Spiel das Pik-Ass!
coach-why-cash = Sie haben jetzt höhere Trümpfe als du. Spiel das Pik-Ass aus.
coach-made = { points }: 61 genügen. Du hast gewonnen! Den Rest spiele ich für dich.
coach-end-made = Beide zahlen dir einen Spielpunkt. Ab 91 Augen sind es zwei, bei allen Stichen drei.
coach-end-zole = Die dritte Ansage ist Zole: 61 Augen ohne den Talon, der für die anderen zählt.
coach-end-more = Zole bringt 8–12 oder kostet 10–14: Hilfe (?) zeigt, wann man sie spielt.
table-decided = { $who ->
    [you] Du { $wins ->
        [yes] gewinnst
       *[no] verlierst
    }
   *[other] { $name } { $wins ->
        [yes] gewinnt
       *[no] verliert
    }
} { $settlement ->
    [fewest_tricks_collects] { $tied ->
        [yes] mit ebenso wenigen Stichen wie ein anderer, aber weniger Augen
       *[no] mit den wenigsten Stichen ({ $count })
    }
    [most_points_pays] { $tied ->
        [yes] mit ebenso vielen Augen wie ein anderer, aber mehr Stichen
       *[no] mit den meisten Augen ({ $count })
    }
   *[most_tricks_pays] { $tied ->
        [yes] mit ebenso vielen Stichen wie ein anderer, aber mehr Augen
       *[no] mit den meisten Stichen ({ $count })
    }
}.
table-tied = { $paid ->
    [none] Alle haben gleich viele Stiche und Augen: Niemand zahlt.
    [to] Zwei haben gleich viele Stiche und Augen: Der Dritte zahlt beiden.
   *[by] Zwei haben gleich viele Stiche und Augen: Beide zahlen dem Dritten.
}

## What came of a deal

result-none = Es wurde kein Spiel angesagt.
result-table = Alle haben gepasst: Ramsch.
result-thrown-in = Alle haben gepasst: Die Karten wurden zusammengeworfen.
# $tricks and $points are counts in words.
result-talon = Der Talon bekam { $tricks } mit { points }.
# $end says how it ended for the declarer.
result-declared = { $who ->
    [you] Du hast { a-game } gespielt: { $took }.{ $end ->
        [won] {" "}Du hast gewonnen.
        [lost] {" "}Du hast verloren.
        [surrendered] {" "}Du hast aufgegeben.
        [conceded] {" "}Die Gegenpartei hat aufgegeben.
       *[none] { "" }
    }
   *[other] { $name } hat { a-game } gespielt: { $took }.{ $end ->
        [won] {" "}{ $name } hat gewonnen.
        [lost] {" "}{ $name } hat verloren.
        [surrendered] {" "}{ $name } hat aufgegeben.
        [conceded] {" "}Die Gegenpartei hat aufgegeben.
       *[none] { "" }
    }
}
result-forfeit = { $who ->
    [you] Du hast { a-game } gespielt: { $took }
   *[other] { $name } hat { a-game } gespielt: { $took }
}{ $end ->
    [won] . Wegen eines Verstoßes ({ $failed }) als gewonnen gewertet.
   *[lost] . Wegen eines Verstoßes ({ $failed }) als verloren gewertet.
}
took-points = { points }, { $tricks }; Gegenpartei { $theirs }
no-trick = kein Stich
result-fault = { $who ->
    [you] Du
   *[other] { $name }
}: { $fault ->
    [timeout] Zeit abgelaufen
    [exited] ausgestiegen
    [illegal] nicht erlaubt
    [malformed] unlesbar
   *[other] { $fault }
}.
match-over-plain = Die Partie ist zu Ende.
where-ask = { $ask ->
    [blind] Blind
    [bid] Ansage
    [talon] Talon
    [discard] Drücken
    [surrender] Aufgeben
    [offer] Angebot
   *[play] Karte
}
column-points = Augen
column-tricks = Stiche
column-stakes = Spielpunkte

## A replay

match-title = { $league }, Partie { $match }
deal-of = Spiel { $deal } von { $most }
deal-shown-of = Spiel { $deal } ({ $place } von { $most } hier gezeigten)
after-deals = { $count ->
    [one] nach { $count } Spiel
   *[other] nach { $count } Spielen
}
in-deals-shown = { $count ->
    [one] im ersten hier gezeigten Spiel
   *[other] in den ersten { $count } hier gezeigten Spielen
}
stakes-over = Spielpunkte { $deals }
rules-players = { $count ->
    [one] { $count } Spieler, { $games }
   *[other] { $count } Spieler, { $games }
}
rules-all-pass = { $allpass ->
    [table] alle passen: Ramsch
    [pool] alle passen: Topf
    [redeal] alle passen: neu geben
   *[other] alle passen: { $allpass }
}
rules-pools = mit Töpfen
rules-and-isolation = { $rules }; Isolation: { $level }
no-deal-played = In dieser Partie wurde kein Spiel gespielt.
# What a bot is asked, as a mark beside its name.
asked = { ask }?
is-asked = { $name } { $ask ->
    [blind] kann Blinde Zole ansagen
    [bid] ist mit der Ansage dran
    [talon] entscheidet über den Talon
    [discard] muss zwei Karten drücken
    [play] muss eine Karte spielen
    [surrender] kann aufgeben
   *[offer] kann das Angebot annehmen
}.
no-answer = { $name } gibt keine Antwort.
answers = { $name } antwortet { $answer }.
seat-sits-out = Platz { $seat } setzt aus und erfährt am Ende, wie das Spiel ausging.
no-fault-before = Davor kein Verstoß.
no-fault-after = Danach kein Verstoß.
fault-unknown = Platz { $seat } weiß nicht, ob noch ein Verstoß kommt: A zeigt die Sicht aller Plätze.
mistake-unknown = Platz { $seat } weiß nicht, ob noch ein Fehler kommt: A zeigt die Sicht aller Plätze.
no-mistake-of-seat = Davor kein klarer Fehler von Platz { $seat }.
no-mistake-before = { $all ->
    [yes] Davor kein klarer Fehler.
   *[no] Davor kein klarer Fehler in den bisher analysierten Spielen.
}
no-mistake-after = { $all ->
    [yes] Danach kein klarer Fehler.
   *[no] Danach kein klarer Fehler in den bisher analysierten Spielen.
}
result-unknown = Platz { $seat } erfährt das Ergebnis am Ende des Spiels: A zeigt die Sicht aller Plätze.
result-is-shown = Das Ergebnis wird gezeigt.
future-is-hidden = Was noch kommt, ist verdeckt.
deal-is-over = Das Spiel ist zu Ende.
match-is-over = Die Partie ist zu Ende.

## What can be done in a replay

trick-back = einen Stich zurück
card-back = eine Karte zurück
play-or-pause = abspielen oder anhalten
card-on = eine Karte weiter
trick-on = einen Stich weiter
deal-back = ein Spiel zurück
deal-begin = zum Anfang des Spiels
deal-end = zum Ende des Spiels
deal-on = ein Spiel weiter
fault-back = zum vorigen Verstoß
fault-on = zum nächsten Verstoß
mistake-back = zum vorigen klaren Fehler
mistake-on = zum nächsten klaren Fehler
show-result = Ergebnis des Spiels zeigen, oder verdecken, was noch kommt
close-help = Hilfe schließen
see-all = alle Karten sehen
look-from-seat = Sicht von Platz { $seat }, { $name }
step = Schritt
deals = Spiele
more = Mehr
look-from = Sicht
all-seats = alle
a-deal = Spiel
result = Ergebnis
fault = Verstoß
mistake = Fehler
before = voriger
next = nächster
moment-of-deal = Stelle im Spiel
help-future = Was noch kommt, bleibt verdeckt, bis du danach fragst oder schon dort warst. Die Sicht eines Platzes zeigt nur, was dieser Platz wusste. Ein Klick in ein Diagramm führt zum Zug oder Spiel.
help-values = Die Werte sind Spielpunkte für den Platz, der gefragt war, wenn alle mit offenen Karten weiterspielen: im Schnitt über die Kartenverteilungen, die er für möglich halten musste, und bei der wirklichen Verteilung. Ein klarer Fehler kostete nach dem, was der Platz wusste, mindestens einen halben Spielpunkt und mehr als das Doppelte des Standardfehlers.

## Parts of a replay

moves = Die Züge dieses Spiels
as-dealt = nach dem Geben
mark-fault = Verstoß
mark-refused = abgelehnt
mark-note = Notiz
mistake-costs = Fehler, kostet
trick-to = Stich { $trick }: { $who ->
    [talon] Talon
   *[other] { $name }
}, { points }
current-move = Der aktuelle Zug
bot-sent = Der Bot hat { $answer } gesendet
fault-title = Verstoß
refused-title = Abgelehnt
note-title = Notiz
stderr-title = Fehlerausgabe (stderr)
stderr-of = Fehlerausgabe (stderr) von { $bot }, ganze Partie
the-result = Das Ergebnis
result-of-deal = Ergebnis des Spiels
show-the-result = Ergebnis zeigen
seat-learns-later = Ein Platz erfährt es, wenn das Spiel zu Ende ist.
stakes-after = Spielpunkte { $deals }
pools-after = Töpfe danach: { $pools }.
no-pools-after = Danach keine Töpfe.
the-deals = Die Spiele
filter-declarer = Alleinspieler
filter-contract = Spielart
filter-swing = Höhe
filter-fault = mit Verstoß
any = alle
none = niemand
swing-or-more = { $count ->
    [one] mindestens { $count } Spielpunkt
   *[other] mindestens { $count } Spielpunkte
}
deals-found = { $count ->
    [one] { $found } von { $count } Spiel
   *[other] { $found } von { $count } Spielen
}
deals-found-so-far = { $count ->
    [one] { $found } von { $count } bisher gesehenen Spiel
   *[other] { $found } von { $count } bisher gesehenen Spielen
}
deals-later = Ein Spiel steht hier, sobald es zu Ende ist.
show-all-deals = Alle Spiele zeigen
no-contract = ohne Ansage
clear-mistakes = { $count ->
    [one] { $count } klarer Fehler
   *[other] { $count } klare Fehler
}
seconds-of-deal = Sekunden je Zug in diesem Spiel
seconds-of-seat = Sekunden je Zug von Platz { $seat } in diesem Spiel
stakes-over-deals = Spielpunkte im Lauf der Spiele
expected-stakes = Erwartete Spielpunkte in diesem Spiel, jeder Strich bis zum besten Zug
stakes-lost = Verschenkte Spielpunkte in diesem Spiel
course-of-deal = Der Verlauf des Spiels
could-expect = { $name } kann hier { $amount } Spielpunkte erwarten, mit offenen Karten

## The review in a replay

review = Analyse
value-appears-here = Hier erscheint der Wert jedes Zuges.
hangs-on-hidden = Was das wert war, hängt von Karten ab, die Platz { $seat } nicht sieht.
no-choice = Hier gab es keine Wahl, oder der Zug ist nicht analysiert.
no-choice-of-seat = Hier gab es keine Wahl, oder der Zug ist nicht analysiert: A zeigt die Sicht aller Plätze, von dort kann die Seite das tun.
save-as-test = Als Test des Bots: { $command }
not-reviewed = Dieses Spiel ist nicht analysiert. Im Terminal analysiert { $command } die ganze Partie.
# $bots are the names of those whose answers alone were reviewed.
reviewed-for-only = Nur für { $bots } analysiert.
all-answers = Alle { $count } Züge
clear-mistake = { $mark }: Besser war { $better }.
clear-mistake-mark = ✗ Klarer Fehler
no-better = ✓ Kein Zug scheint besser.
perhaps-better = ≈ Besser scheint { $better }, doch das kann Zufall sein.
# $open is "yes" where $revealed is told too: what it cost with open hands.
it-cost = Das kostete { $loss } Spielpunkte, { $among }{ $open ->
    [yes] ; mit offenen Karten kostete es { $revealed }.
   *[no] .
}
among-known = gerechnet mit der wirklichen Kartenverteilung, die der Platz kennen konnte
among-all = { $count ->
    [one] gerechnet mit der einzigen Kartenverteilung, die für den Platz möglich war
   *[other] gerechnet über alle { $count } Kartenverteilungen, die für den Platz möglich waren
}
among-some = { $count ->
    [one] gerechnet mit { $count } Kartenverteilung, die für den Platz möglich war
   *[other] gerechnet über { $count } Kartenverteilungen, die für den Platz möglich waren
}
column-answer = Zug
column-known = verdeckt
column-open = offen
given-or-best = gewählt oder am besten
given = ● gewählt
best = ★ am besten

## Why a hint is good

why-only = Die Regeln lassen nichts anderes zu.
why-unbeatable = Keine Karte, die noch da ist, schlägt sie.
why-draws-trumps = Sie zieht den anderen die Trümpfe.
why-only-trumps = Nur ein Trumpf schlägt sie.
why-before-trumped = Nimm ihre Augen jetzt, solange andere vielleicht bedienen müssen: Deine Trümpfe können warten.
why-takes-now = Bisher macht sie den Stich.
why-does-not-take = Sie macht den Stich nicht.
why-takes = Sie macht den Stich, mit { points }{ $more ->
    [yes] {" "}oder mehr
   *[no] { "" }
}.
why-side-takes = Der Stich bleibt in jedem Fall bei dir oder deinem Partner, mit { points } oder mehr.
why-partner-takes = Den Stich macht dein Partner: Gib ihm { points } dazu.
why-partner-so-far = Bisher hat dein Partner den Stich: Gib ihm { points } dazu.
why-partner-may-trump = Dein Partner hat diese Farbe nicht und kann stechen: Gib ihm { points } dazu.
why-partner-last = Dein Partner spielt als Letzter und kann den Stich machen: Gib ihm { points } dazu.
why-keeps-trumps = Sie lässt dir { $count ->
    [one] deinen Trumpf
   *[other] deine Trümpfe
} für später.
why-keeps-higher = Sie spart { CARD($card) } für später auf.
why-keeps-at-a-price = Sie kostet { points } mehr, spart aber { CARD($card) } für später auf.
why-keeps-lower = Sie spart { CARD($card) } für später auf: Diese Karte ist schwächer.
why-keeps-winner = Sie spart { CARD($card) } für später auf: Nur ein Trumpf schlägt diese Karte.
why-harder = Sie ist schwerer zu schlagen als { CARD($card) }.
why-sets-up = Ist { CARD($card) } weg, hast du die höchste Karte dieser Farbe.
why-risks-less = Das kostet weniger Augen als { CARD($card) }, wenn der Stich verloren geht.
why-no-points = Mit ihr verlierst du keine Augen.
why-weakest = Sie ist die schwächste Karte, die du spielen darfst.
why-in-any-case = Sie macht in jedem Fall einen Stich: Keine Karte, die noch da ist, schlägt sie. Niedrige Karten nützen dir später.
why-strongest = Damit wirst du die stärkste Karte los, die du spielen darfst.
why-fewest-points = Sie gibt die wenigsten Augen her.
why-void = { $suit ->
    [clubs] Ohne Kreuz kannst du diese Farbe stechen.
    [spades] Ohne Pik kannst du diese Farbe stechen.
   *[hearts] Ohne Herz kannst du diese Farbe stechen.
}
why-void-later = { $suit ->
    [clubs] Ohne Kreuz kannst du hohe Karten abwerfen, wenn andere die Farbe ausspielen.
    [spades] Ohne Pik kannst du hohe Karten abwerfen, wenn andere die Farbe ausspielen.
   *[hearts] Ohne Herz kannst du hohe Karten abwerfen, wenn andere die Farbe ausspielen.
}
why-others-higher = { $count ->
    [one] Noch { $count } Karte dieser Farbe ist höher: Vielleicht muss ein anderer den Stich nehmen.
   *[other] Noch { $count } Karten dieser Farbe sind höher: Vielleicht muss ein anderer den Stich nehmen.
}
why-shorter = Je weniger Karten dieser Farbe du behältst, desto eher kannst du hohe Karten abwerfen.
why-safe = Du behältst { points } für dich.
why-same-word = { answer-word }: etwa ebenso gut.
why-same-discards = Im Schnitt etwa ebenso gut: { $cards }{ $more ->
    [yes] {" "}und andere
   *[no] { "" }
}.
why-no-matter = { $end ->
    [pays] Es ist gleich: Mit jeder Karte zahlst du in etwa { $count } von 100 Verteilungen, die zu dem passen, was du gesehen hast.
    [lost] Es ist gleich: Mit jeder Karte verlierst du etwa gleich viel.
    [won] Es ist gleich: Mit jeder Karte gewinnst du etwa gleich viel.
   *[even] Es ist gleich: Mit jeder Karte gewinnst du etwa { $count } von 100 Verteilungen, die zu dem passen, was du gesehen hast.
}
why-same-but = Im Schnitt ebenso gut: jede Karte, die du spielen darfst, außer { $cards }.
why-same-cards = Im Schnitt ebenso gut: { $cards }.
why-better = Im Schnitt für dich { $ahead } Spielpunkte besser als jeder andere Zug.
why-wins = { $end ->
    [more] Von 100 Verteilungen, die zu dem passen, was du gesehen hast, gewinnst du damit { $won }, mit { CARD($card) } { $less }.
    [pays] Von 100 Verteilungen, die zu dem passen, was du gesehen hast, zahlst du damit in { $won }, mit { CARD($card) } in { $less }.
    [lost] Mit { CARD($card) } verlierst du auch, und zwar im Schnitt { $ahead } Spielpunkte mehr.
    [won] Mit { CARD($card) } gewinnst du auch, aber im Schnitt { $ahead } Spielpunkte weniger.
    [even] Mit { CARD($card) } gewinnst du ebenso oft, bekommst aber im Schnitt { $ahead } Spielpunkte weniger.
   *[less] Im Schnitt für dich { $ahead } Spielpunkte besser als { CARD($card) }.
}
why-rule-fails = Hier gilt die Faustregel „höchster Trumpf zuerst“ nicht.
why-worth = Deine Spielpunkte im Schnitt:
why-also = { answer-word } { $next }.
why-too-close = Weniger als ein halber Spielpunkt Unterschied sagt nichts.
why-hand = In diesem Blatt: Trümpfe { $trumps }, Damen { $queens }, Fehl-Asse { $aces }.
more-answers = … noch { $count } …
# Above the values of all answers as bars.
values-of-answers = { $kind ->
    [cost] Abstand zur besten, in Spielpunkten:
    [open] Abstand zur besten, bei offenen Karten:
   *[worth] Deine Spielpunkte im Schnitt:
}

## Beside the page

# What stands on a key.
key-cap = { $key ->
    [space] Leertaste
    [enter] Eingabe
    [page-up] Bild ↑
    [page-down] Bild ↓
    [home] Pos 1
    [end] Ende
   *[escape] Esc
}
# Where a browser runs no scripts.
replay-needs-script = Diese Seite braucht JavaScript: Lass die Datei ihr Skript ausführen, das kein Netz benutzt.
table-needs-script = Diese Seite braucht JavaScript: Lass sie ihr Skript ausführen, das nur mit dem Rechner spricht, von dem sie kommt.
