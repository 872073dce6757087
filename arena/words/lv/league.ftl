### What the pages of a league say, on a site and in the report of a league.
###
### $bot, $one and other names are names of bots, which no language declines.
###
### Not yet read over by a native player. Terms: those of table.ftl; komplekts (set: the same deals in all
### seatings), posms (epoch), stiprums (strength), sēdinājums (seating) are ours.

## The first page

bots-play = { $count ->
    [0] Botu līga, kurā spēlē latviešu kāršu spēli zoli.
    [zero] { $count } boti dienu un nakti cits pret citu spēlē latviešu kāršu spēli zoli.
    [one] { $count } bots dienu un nakti spēlē latviešu kāršu spēli zoli.
   *[other] { $count } boti dienu un nakti cits pret citu spēlē latviešu kāršu spēli zoli.
}
watch-or-sit-down = Noskatieties partiju, apsēdieties pie galda vai uzrakstiet savu botu jebkurā valodā.
league-paused = Rīkotājs līgu ir apturējis: { $why }
bring-a-bot = Iesūtīt botu
tables-now = Šobrīd pie galdiem
no-tables-now = Šobrīd pie galda nesēž neviens
season-over = Sezona beigusies.
final-is-played = Notiek sezonas fināls.
epoch-ends = { $epoch }. posms beidzas { $when }.
standings-so-far = Pašreizējā tabula
final-of-season = { $sets ->
    [zero] { $season }. sezonas fināls: { $played } no { $sets } komplektiem
    [one] { $season }. sezonas fināls: { $played } no { $sets } komplekta
   *[other] { $season }. sezonas fināls: { $played } no { $sets } komplektiem
}
final = Fināls
no-bot-yet = Vēl nav pieteicies neviens bots.
could-be-first = Jūsējais varētu būt pirmais.
versions-that-left = { $count ->
    [zero] { $count } aizgājušas versijas
    [one] { $count } aizgājusi versija
   *[other] { $count } aizgājušas versijas
}
left-versions = Aizgājušās versijas
remarks-on-figures = { $count ->
    [zero] { $count } piezīmes par šiem skaitļiem
    [one] { $count } piezīme par šiem skaitļiem
   *[other] { $count } piezīmes par šiem skaitļiem
}
made-the-same = { $one } un { $other } katrā komplektā sasniedza to pašu.
strength-told = Stiprums ir punkti partijā pret lauka vidējo. Josla ir 95 % intervāls, kas spēkā vienmēr: lai cik bieži skatītos, iespēja, ka kāds no tiem kādreiz neietver patiesību, ir 5 %. Kā to rēķina, teikts <a href="/rules#counting">noteikumos</a>.
last-results = Pēdējie rezultāti
all-matches = Visas spēles
no-match-yet = Vēl nav nevienas saglabātas spēles.

## Tables of matches and of standings

match-number = { $match }. spēle
seat-number = { $seat }. vieta
replay-match = atskaņot { $match }. spēli
column-match = spēle
column-deals = partijas
column-faults = kļūdas
column-replay = atskaņot
column-stored = saglabāta
column-rank = vieta
column-ranks = vietas
column-bot = bots
column-strength = stiprums
column-figure = zīmējumā
column-sets = komplekti
ranks-open = labākā un sliktākā vieta, ko rezultāti pieļauj
ranks-at-all-looks = labākā un sliktākā vieta, ko rezultāti pieļauj, visos skatījumos kopā
# Whether a match counts.
void = neskaitās
waiting = gaida
waits-for-seatings = gaida pārējos savu partiju sēdinājumus
# A disqualified bot.
out = izslēgts
house-bot = mājas bots
by-author = autors: { $author }
benched = uz soliņa
games = { $count ->
    [zero] { $count } izspēles
    [one] { $count } izspēle
   *[other] { $count } izspēles
}
order-number = { $order }. pasūtījums:
seatings-played = { $count ->
    [zero] izspēlēti { $played } no { $count } sēdinājumiem
    [one] izspēlēti { $played } no { $count } sēdinājuma
   *[other] izspēlēti { $played } no { $count } sēdinājumiem
}
deals-of-order = { $deals }
deals-of-final = { $deals }, fināls

## Figures

growth-over = Stiprums, punkti partijā: { $sets }
growth-sets = { $count ->
    [zero] { $count } komplekti
    [one] { $count } komplekts
   *[other] { $count } komplekti
}
growth-sets-each = { $count ->
    [zero] { $count } katra galda komplekti
    [one] { $count } katra galda komplekts
   *[other] { $count } katra galda komplekti
}
