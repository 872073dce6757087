### What the pages of a league say, on a site and in the report of a league.
###
### $bot, $one and other names are names of bots, which no language declines.
###
### Not yet read over by a native player. Terms: those of table.ftl; komplekts (set: the same deals in all
### seatings), stiprums (strength), sēdinājums (seating) are ours.

## The first page

bots-play = { $count ->
    [0] Zole ir latviešu kāršu spēle. Mācieties, spēlējiet vai atvediet botu.
    [zero] Zole ir latviešu kāršu spēle. Mācieties, spēlējiet vai skatieties, kā spēlē { $count } boti.
    [one] Zole ir latviešu kāršu spēle. Mācieties, spēlējiet vai skatieties, kā spēlē { $count } bots.
   *[other] Zole ir latviešu kāršu spēle. Mācieties, spēlējiet vai skatieties, kā spēlē { $count } boti.
}
bots-played = { $count ->
    [zero] { $count } boti cits pret citu ir spēlējuši latviešu kāršu spēli zoli.
    [one] { $count } bots ir spēlējis latviešu kāršu spēli zoli.
   *[other] { $count } boti cits pret citu ir spēlējuši latviešu kāršu spēli zoli.
}
league-paused = Rīkotājs līgu ir apturējis: { $why }
a-deal-of-late = Nesen spēlēta partija
play-now = Spēlēt tūlīt
deal-of-the-day = Dienas partija
bring-a-bot = Iesūtīt botu
tables-now = Šobrīd pie galdiem
tables-play-now = { $count ->
    [zero] Šobrīd spēlē { $count } galdi
    [one] Šobrīd spēlē { $count } galds
   *[other] Šobrīd spēlē { $count } galdi
}
# $when is a moment.
next-table = Botu līgā ir pauze: šeit redzamās partijas jau ir izspēlētas. Līga turpinās { $when }.
season-over = Sezona beigusies.
final-is-played = Notiek sezonas fināls.
# $when is a moment.
submit-until = Šajā sezonā spēlē boti, kas iesniegti līdz { $when }.
final-begins = Fināls sākas { $when }.
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
all-standings = { $count ->
    [zero] Visa tabula, { $count } boti
    [one] Visa tabula, { $count } bots
   *[other] Visa tabula, { $count } boti
}
left-versions = Aizgājušās versijas
remarks-on-figures = { $count ->
    [zero] { $count } piezīmes par šiem skaitļiem
    [one] { $count } piezīme par šiem skaitļiem
   *[other] { $count } piezīmes par šiem skaitļiem
}
made-the-same = { $one } un { $other } katrā komplektā sasniedza to pašu.
strength-told = Stiprums ir punkti partijā pret līgas botu vidējo. Josla ir 95 % intervāls, kas spēkā vienmēr: lai cik bieži skatītos, iespēja, ka kāds no tiem kādreiz neietver patiesību, ir 5 %. Kā to rēķina, teikts <a href="/rules#counting">noteikumos</a>.
bars-of-final = Fināla josla ir parasts 95 % intervāls: fināla apjoms bija noteikts iepriekš, un to aplūko vienu reizi.
figures-as = Šie skaitļi kā <a href="{ $path }.json">JSON</a> vai <a href="{ $path }.csv">CSV</a>.
part-of-site = <a href="/about#leagues">Visas šīs vietnes līgas</a>
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
column-big-points = lielie punkti
column-small-points = mazie punkti
column-strength = stiprums
strength-in-short = Stiprums: par cik punktiem partijā bots iegūst vairāk nekā vidēji; ±: cik tas ir droši.
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
of-team = komanda: { $team }
benched = uz soliņa
# $why are the words of the organiser or of the arena.
benched-by = uz soliņa: { $why }
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

## Remarks on figures

no-set-complete = Vēl nav pabeigts neviens komplekts.
# $groups are names of bots.
groups-apart = Šīs grupas nekad nav tikušās un ir vērtētas atsevišķi: { $groups }
groups-not-met = Dažādu grupu boti nav tikušies ne tieši, ne caur citiem.
house-bots-are = Mājas boti pieder pašai arēnai: tie spēlē, kamēr spēlē mazāk nekā trīs autoru boti.
so-far-holds = Līdz šim: ± un vietas ir spēkā, lai cik bieži skatītos; ± vienā skatījumā ir pareizs 19 reizes no 20 iepriekš izraudzītā brīdī.
strength-against-field = Stiprums ir punkti partijā pret tagad spēlējošo botu vidējo.
strength-against-equals = Ne visi tikušies vienlīdz bieži: stiprums ir punkti partijā vienādā sabiedrībā.
elo-bounds = Elo ar >, < vai ~ ir robeža: vairāk tik vienpusēji rezultāti neļauj pateikt.
intervals-need = Intervāliem vajag 10 komplektu un vairāk nekā vienu brīvu komplektu.
identical-on = { $one } un { $other } rīkojās vienādi { $count ->
    [zero] { $count } partijās
    [one] { $count } partijā
   *[other] { $count } partijās
}.
disqualified-in = { $bot }: diskvalifikācija { $out } no { $count ->
    [zero] { $count } spēlēm
    [one] { $count } spēles
   *[other] { $count } spēlēm
}
sets-are-void = { $count ->
    [zero] Neskaitās { $count } komplekti: kāds bots tajos tika diskvalificēts.
    [one] Neskaitās { $count } komplekts: kāds bots tajā tika diskvalificēts.
   *[other] Neskaitās { $count } komplekti: kāds bots tajos tika diskvalificēts.
}
# $why is the arena's own English.
to-be-played-again = Jāizspēlē vēlreiz: { $lineup }: { $why }
isolation-was = Izolācija: { $level }
network-of = Bots { $bot } drīkst izveidot savienojumu ar { $addresses }.
practice-seed = Treniņa sēkla: { $seed }
seed-shown = Sēkla: { $seed } (SHA-256 { $hash })
seed-committed = Slepenās sēklas jaucējvērtība: SHA-256 { $hash }
earlier-seeds = Agrāko komplektu sēklas: { $seeds }
season-secret = Sezonas noslēpuma SHA-256: { $hash }

## How far a league is

# $unit is "set" or "session".
progress-units = { $unit ->
    [session] { $count ->
        [zero] { $count } sesijas
        [one] { $count } sesija
       *[other] { $count } sesijas
    }
   *[set] { $count ->
        [zero] { $count } komplekti
        [one] { $count } komplekts
       *[other] { $count } komplekti
    }
}
progress-void = { $void ->
    [0] { "" }
   *[other] , neskaitās { $void }
}
progress-practice = { $practice ->
    [yes] , treniņa partijas
   *[no] { "" }
}
progress-rounds = { $played } no { $count ->
    [zero] { $count } kārtām
    [one] { $count } kārtas
   *[other] { $count } kārtām
}, { $complete ->
    [yes] pabeigts
   *[no] nav pabeigts
}{ progress-practice }
ranking = Vietas
round-number = { $round }. kārta
# $deals are those of a round.
tournament-order = Pēc lielajiem punktiem par vietām pie galdiem, tad pēc mazajiem punktiem, tad pēc pēdējās kārtas; kārtā ir { $deals ->
    [zero] { $deals } partijas
    [one] { $deals } partija
   *[other] { $deals } partijas
}
tournament-no-interval = 95 % intervālu nav: galdus veido pēc rezultātiem, tāpēc intervāli būtu par šauriem. Vietas ir atkarīgas no veiksmes
progress-so-far = līdz šim { progress-units }{ progress-void }{ progress-practice }
progress-all = pabeigts: skaitās { progress-units }{ progress-void }{ progress-practice }
progress-of = { $played } no { $unit ->
    [session] { $count ->
        [zero] { $count } sesijām
        [one] { $count } sesijas
       *[other] { $count } sesijām
    }
   *[set] { $count ->
        [zero] { $count } komplektiem
        [one] { $count } komplekta
       *[other] { $count } komplektiem
    }
}{ progress-void }, { $complete ->
    [yes] pabeigts
   *[no] nav pabeigts
}{ progress-practice }

## The first page of a record

the-league = Līga
# $figure is what the table is ordered by.
bars-of-record = Josla ir { $figure ->
    [column-stakes] punktu 95 % intervāls.
   *[other] stipruma 95 % intervāls{ $looks ->
        [all] , kas ir spēkā visos skatījumos
       *[now] { "" }
    }. Stiprums ir punkti partijā.
}
worth-a-look = Vērts apskatīt
no-replays = Līdzās šai lapai nav neviena atskaņojuma.
made-from = Veidots no protokola { $record }. { $verify } pārbauda tajā katru spēli, { $faults } parāda visas kļūdas, { $replay } atskaņo vienu spēli.
commands-for = Komandas jāizpilda mapē, kurā atrodas { $league }.

## All bots compared

crosstable-is = Katrs bots pret katru citu komplektos, kuros sēdēja abi.
each-against-each = Katrs pret katru
everybody = visi
same = vienādi
pair-met = { $one } pret { $other }: { $count ->
    [zero] { $count } kopīgi komplekti
    [one] { $count } kopīgs komplekts
   *[other] { $count } kopīgi komplekti
}{ $certainty ->
    [no] { "" }
   *[other] ; pēc visiem komplektiem pirmais ir labāks ar { $certainty } ticamību
}
crosstable-told = Rindas punkti partijā pret kolonnu; svītra, ja tie nekad nav tikušies. * nozīmē, ka 95 % intervāls neietver 0: par to, kurš ir labāks, ir vairāk nekā 97,5 % pārliecība.
shades-told = <span class="behind-3">99,9 %</span><span class="behind-2">97,5 %</span><span class="behind-1">80 %</span> pārliecība, ka rinda atpaliek, <span class="ahead-1">80 %</span><span class="ahead-2">97,5 %</span><span class="ahead-3">99,9 %</span>, ka tā ir priekšā.
no-two-met = Vēl nav tikušies nekādi divi boti.
and-more = { $more ->
    [0] { "" }
   *[other] ; un vēl { $more }
}
by-role = Pēc lomas
column-declares = piesaka, %
column-wins = no tām uzvar, %
column-declarer = kā lielais
column-defender = kā mazais
column-table = galdiņā
column-sitting-out = nespēlējot
roles-told = Cik no savām rokām bots piesaka un cik no pieteiktajām atmaksājas, ar 95 % intervāliem; tad punkti partijā katrā lomā un cik % pieteikto spēļu nebija parastās.
by-seat = Pēc vietas
column-forehand = pirmā roka
column-middlehand = otrā roka
column-rearhand = trešā roka
seats-told = Punkti partijā pēc vietas no dalītāja; pirmā roka pirmā sola un iziet.
by-company = Pēc sabiedrības
column-taker = boti, kuru autors
column-giver = no botiem, kuru autors
column-gained = ieguva
column-chance = varbūtība
company-told = Punkti partijā, ko viena autora boti ieguva no cita autora botiem, sēžot kopā, virs tā, ko izskaidro to stiprums: vispirms visneticamākie pāri. Varbūtība ir tā, ka godīgu autoru līgā jebkad būtu tik atšķirīgs pāris, ja stilu ietekme ir sadalīta normāli; ja stilu ir maz un tie ir krasi, godīgi pāri tiek atzīmēti biežāk.
no-company = Neviena autora boti nedeva cita botiem vairāk, nekā izskaidro to stiprums, stils un nejaušība.
company = Vairāk, nekā izskaidro stiprums, stils un nejaušība, deva boti: { $pairs }{ and-more }. Tāds pāris ir vienā godīgā līgā no simta: pirms spriežat, apskatiet partijas.
company-pair = { $giver } → { $taker }
answer-times = Atbildes laiks, pēdējās 20 spēles
column-answers = atbildes
median = mediāna
nineteen-of-twenty = 19 no 20 ne ilgāk par
longest = ilgākā

## A bot

own-bot-of-arena = viens no pašas arēnas botiem
version-is = versija { $version }
in-league-since = līgā kopš { $moment }
# $why are the words of the organiser or of the arena.
bot-benched = Uz soliņa: { $why }. Pie galdiem bots netiek, līdz autors ļauj tam spēlēt tālāk.
bot-left = { $why ->
    [unknown] Tas vairs nespēlē.
   *[other] Tas vairs nespēlē: { left-why }.
} Izspēlētais paliek.
left-why = { $why ->
    [replaced] aizstāts
    [withdrawn] atsaukts
   *[other] { $why }
}
# How often it does each, compared with all bots; $solo is "none" where nobody declares one.
style = { $declares ->
    [often] Piesaka bieži
    [rarely] Piesaka reti
   *[usual] Piesaka tikpat bieži kā vairums
}{ $solo ->
    [often] , un zoli spēlē bieži
    [rarely] , un zoli spēlē reti
    [usual] , un zoli spēlē tikpat bieži kā vairums
   *[none] { "" }
}.
column-zole = zolē
rank-moved = { $way ->
    [up] nedēļā augstāk par { $by }
   *[down] nedēļā zemāk par { $by }
}
roles-in-stakes = Punkti partijā katrā lomā.
play-against-it = Spēlēt pret to
challenge-it = Izaicināt to
best-deal = Tā labākā partija
best-deal-made = Noskatieties, kā tas vidēji iegūst { $made } tur, kur citi ieguva { $theirs }
all-statistics = Visa statistika
in-figures = Rezultāti skaitļos
strength-so-far = stiprums līdz šim
ranks-so-far = vietas līdz šim
at-one-look = vienā skatījumā
column-stakes-per-deal = punkti partijā
column-elo = Elo
sets-void = { $count ->
    [zero] neskaitās { $count } komplekti
    [one] neskaitās { $count } komplekts
   *[other] neskaitās { $count } komplekti
}
against-each-other = Pret katru citu botu
column-ahead = pārsvars
column-better = labāks
better-than = cik droši pēc komplektiem, kuros sēdēja abi, ka { $bot } ir labāks
column-by-all-sets = pēc visiem komplektiem
against-told = Par cik punktiem partijā tas sasniedza vairāk nekā otrs komplektos, kuros sēdēja abi, ar viena skatījuma 95 % intervālu; un cik droši pēc šiem komplektiem un pēc visiem, ka tas ir labāks.
how-it-plays = Kā tas spēlē
# $declared counts games by contract, the ordinary one first.
plays-told = Tik daudz savu roku tas piesaka un tik daudzās no tām vinnē; tad punkti partijā katrā lomā un katrā vietā.{ $declared ->
    [none] { "" }
   *[other] {" "}Pieteikts: { $declared }.
}
games-declared = { game } { $count }
worst-and-best = Tā sliktākās un labākās rokas
others-made-more = Kur citi ar tām pašām kārtīm sasniedza vairāk
it-made-more = Kur tas sasniedza vairāk nekā citi
hand-made = { $deal }, { $seat }. vieta<br>{ $made } vienā izspēlē, citi { $theirs }; tas pieteica { $declared } no { $games } reizēm, citi { $theydeclared } no { $theirgames }
of-answers = { $count ->
    [zero] No { $count } atbildēm.
    [one] No { $count } atbildes.
   *[other] No { $count } atbildēm.
}
faults-title = Kļūdas
# How an answer failed.
fault-kind = { $kind ->
    [illegal] neatļauta atbilde
    [malformed] nesalasāma atbilde
    [timeout] nokavēts laiks
    [exited] beigusies programma
    [flooded] pārāk daudz izvades
    [unready] nav gatavs laikā
    [resource] pārsniegta robeža
    [internal] pašas arēnas kļūda
   *[other] { $kind }
}
faults-of-bot = { $faults }{ $out ->
    [0] .
    [zero] ; diskvalificēts { $out } spēlēs.
    [one] ; diskvalificēts { $out } spēlē.
   *[other] ; diskvalificēts { $out } spēlēs.
}
fault-in = { fault-kind }: { $deal }, { $match }
no-faults = Nav: uz katru jautājumu tas atbildēja laikā un pēc noteikumiem.
no-faults-yet = Nav: tas vēl nav sēdējis pie galda.
versions = Versijas
column-version = versija
column-joined = pievienojās
column-left = aizgāja
column-content = saturs
plays = spēlē
versions-told = Jauna versija ir cits bots: tā sāk bez rezultātiem. Saturs ir mapes SHA-256 sākums.
its-last-matches = Tā pēdējās spēles

## Matches

match-titled = { $match }. spēle
# $moment may be a tag.
match-is = { $count ->
    [1] { $first }. partija
   *[other] { $first }.–{ $last }. partija
}: { $names }; saglabāta { $moment }. { $order }. pasūtījums.
match-is-void = Tā neskaitās: kāda vieta pie šī galda tika diskvalificēta.
match-waits = Tā skaitīsies, kad būs saglabāti pārējie šī galda sēdinājumi.
is-disqualified = diskvalificēts
answers-given = { $count ->
    [zero] { $count } atbildes
    [one] { $count } atbilde
   *[other] { $count } atbildes
}{ $seconds ->
    [none] { "" }
   *[other] {" "}({ $seconds })
}
watch-card-by-card = Skatīties kārti pēc kārts
# $until is "season" where the season must end before.
replay-is-hidden = { $until ->
    [season] Atskaņojums ir paslēpts līdz sezonas beigām.
   *[unknown] Atskaņojums ir paslēpts.
}
authors-may-fetch = Botu autori uzreiz var <a href="/start#logs">saņemt, ko redzēja viņu boti</a>.
deal-by-deal = Partija pēc partijas
column-contract = spēles veids
column-fault = kļūda
column-all = kopā
replay-deal = atskaņot { $deal }. partiju
deals-lead = Partijas numurs ved uz tās kopsavilkumu: kas ar tām pašām kārtīm iznāca katrā sēdinājumā.
other-seatings = Pārējie šī galda sēdinājumi
match-played = { $decisions ->
    [zero] { $decisions } lēmumi
    [one] { $decisions } lēmums
   *[other] { $decisions } lēmumi
}, izolācija: { $isolation }.
matches-are = Spēle ir galds vienā sēdinājumā. Tā skaitās, kad saglabāti visi to pašu partiju sēdinājumi un katram ir bijušas visas kārtis.
no-match-before = Pirms tās nav saglabāta neviena spēle.
more-matches = Citas spēles
newest = Jaunākās
older = Vecākas

## A deal in all its seatings

deal-of-names = { $deal }. partija: { $names }
same-cards-in = { $seatings ->
    [zero] Tās pašas kārtis { $seatings } sēdinājumos
    [one] Tās pašas kārtis { $seatings } sēdinājumā
   *[other] Tās pašas kārtis { $seatings } sēdinājumos
}{ $order ->
    [none] .
   *[other] : { $order }. pasūtījums.
}
deals-of-this-order = Šī pasūtījuma partijas
the-cards = Kārtis
# $place is "out" for who sits out.
place-of-seat = { $place ->
    [forehand] pirmā roka
    [middlehand] otrā roka
    [rearhand] trešā roka
   *[out] nespēlē
}{ $dealer ->
    [yes] , dalītājs
   *[no] { "" }
}
seat-and-place = { $seat }. vieta, { $place }
seat-is-out = { $seat }. vieta: { $place }.
what-was-played = Kas tika spēlēts
replay-in-match = atskaņot { $match }. spēlē
declares = lielais
won = uzvara
lost = zaudējums
lines-told = Pa rindai katram sēdinājumam: kurš kur sēdēja un cik punktu saņēma. Acis un stiķi ir lielā.
number-replays = Spēles numurs atskaņo partiju tajā.
made-of-same-cards = Ko katrs sasniedza ar tām pašām kārtīm
mean-stakes = Vidējie punkti vienā izspēlē.
seatings-so-far = { $count ->
    [zero] Līdz šim izspēlēti { $played } no { $count } sēdinājumiem.
    [one] Līdz šim izspēlēti { $played } no { $count } sēdinājuma.
   *[other] Līdz šim izspēlēti { $played } no { $count } sēdinājumiem.
}
match-ended-before = { $match }. spēle beidzās pirms šīs partijas.
# $disqualified says who was disqualified.
set-is-void = Komplekts neskaitās. { $disqualified }.
pools-matter = Ar pulēm partijas punkti atkarīgi arī no pulēm pirms tās.

## The ledger

proof-title = Virsgrāmata, un kā pārbaudīt partijas
proof-told = Galda partijas izriet no divām lietām: no arēnas noslēpuma un no virsgrāmatas rindas, ar kuru galds ir izlozēts. Noslēpuma jaucējvērtība tiek publicēta, <em>pirms</em> spēlē kāds bots; pats noslēpums, kad sezona ir galā. Rinda ir atkarīga no visām iepriekšējām rindām, tātad no katra bota, kas pievienojies. Tāpēc ne arēna, ne kāds autors nevar izvēlēties kārtis.
commitment-at = noslēpuma jaucējvērtība, { $moment }
the-commitment = noslēpuma jaucējvērtība
secret = noslēpums
tables-of-season = { $count ->
    [zero] { $count } galdi.
    [one] { $count } galds.
   *[other] { $count } galdi.
}
secret-revealed = Sezonas noslēpums atklāts { $moment }.
check-it = Pārbaudīt
check-it-here = Pārbaudīt šeit
secret-is-committed = Noslēpums ir tas, kura jaucējvērtība tika publicēta:
seed-follows = Galda sēkla izriet no noslēpuma un no galda rindas jaucējvērtības virsgrāmatā:
deals-follow = Katra partija izriet no sēklas, vārdiem pie galda un partijas numura.
ledger-title = Virsgrāmata
ledger-told = Viss, kas nosaka galdu vai partiju, kļūst par rindu šajā virsgrāmatā, pirms tas notiek: publicētās jaucējvērtības, kas pievienojas un kas aiziet, katrs izlozētais galds. Rindas jaucējvērtība ir SHA-256 no iepriekšējās jaucējvērtības (pirmajai rindai 64 nulles), jaunas rindas zīmes un rindas ieraksta. Kas saglabājis vienu jaucējvērtību, var pateikt, vai kaut kas pirms tās ir mainīts.
whole-ledger = <a href="/ledger/lines">Visa virsgrāmata JSON rindās</a> no sākuma; <code>?after=N</code> turpina pēc N. rindas.
last-lines = Virsgrāmatas pēdējās rindas
column-line = rinda
column-text = teksts
column-hash = jaucējvērtība

## Rules

# $source is the text that the rules come from.
rules-of-league = { $source }{ $changed ->
    [yes] , ar izmaiņām
   *[no] { "" }
}; pie galda { $players ->
    [zero] { $players } spēlētāji
    [one] { $players } spēlētājs
   *[other] { $players } spēlētāji
}.
how-league-is-played = Kā līgā spēlē
# $session is 0 where a table has fresh deals.
tables-told = Pie galda sēž trīs boti un izspēlē { $session ->
    [0] desmit jaunas partijas
    [zero] { $session } partiju sesiju
    [one] { $session } partijas sesiju
   *[other] { $session } partiju sesiju
} visos { $seatings } sēdinājumos: katram ir bijušas visu kārtis. Tādu galdu izlozē un ieraksta { $ledger }, pirms izspēlēta tā pirmā kārts.
in-the-ledger = virsgrāmatā
seating-told = Kas kur sēž, tiek izvēlēts tā, lai stiprums kļūtu zināms pēc iespējas ātrāk. To nosaka tikai tas, kurš ar kuru cik bieži ticies, nekad tas, kurš ir priekšā; vienu galdu no astoņiem izlozē nejauši.{ $apart ->
    [yes] {" "}Viena autora boti nekad nesēž pie viena galda.
   *[no] { "" }
} Tā jaunpienācējs ātri tiek uz augšu, un vecie boti nepaliek bez kārtas.
pace-told = Galdus spēlē bez pārtraukuma, līdz var gaidīt, ka katra bota intervāls nepārsniegs { $width } punktus, pēc tam { $trickle } stundā.
publishing-told = { $publish ->
    [at_once] Spēli var skatīties visi, tiklīdz tā ir saglabāta.
   *[season] Rezultāti ir publiski uzreiz; spēles var skatīties visi, kad beigusies sezona.
} Autori uzreiz redz, ko redzēja viņu pašu boti. Piezīmes un tas, ko boti raksta stderr, pieder tikai to autoram.
final-told = Sezona beidzas ar { $bots ->
    [zero] { $bots } labāko finālu
    [one] { $bots } labākā finālu
   *[other] { $bots } labāko finālu
}, { $deals ->
    [zero] { $deals } partijām
    [one] { $deals } partiju
   *[other] { $deals } partijām
} pie katra galda; tā lielums noteikts iepriekš, un tajā skaitās tikai tā paša rezultāti.
how-results-count = Kā skaita rezultātus
strength-counts = Punkti ir tas, ko bots saņem partijā. <b>Stiprums</b> ir punkti partijā, kādi tie būtu, ja visi tiktos ar vieniem un tiem pašiem pretiniekiem, pret līgas botu vidējo. Skaitās <b>komplekts</b>: partija visos sēdinājumos. Ja kādu vietu diskvalificē, viss galds neskaitās.
intervals-count = Parastais intervāls ir pareizs tam, kas skatās vienreiz. Tabulā, kas vienmēr atvērta, skatās visu laiku, un tad agri vai vēlu kāds intervāls patiesību neietver. Šeit intervāli un vietas ir platāki: ar 95 % ticamību tie visi ir spēkā visu laiku kopā. Tāpēc pie tiem teikts <em>līdz šim</em>.
faults-count = <b>Kļūda</b> (atbilde, ko noteikumi neatļauj, atbilde, kas nenāk laikā, programmas beigas) zaudē partiju; par pārāk daudz kļūdām spēlē diskvalificē.{ $bench ->
    [yes] {" "}Trīs sabojāti galdi no pēdējiem desmit vai trīs neizdevušies sākumi pēc kārtas liek botu uz soliņa, līdz autors ļauj tam spēlēt tālāk.
   *[no] { "" }
}
what-deal-pays = Ko maksā partija
what-bot-may-use = Ko bots drīkst izmantot
# A limit of a bot.
limit = { $limit ->
    [move] gājiens
    [start] sākums
    [max_faults] kļūdas, ne vairāk par
    [memory] atmiņa
    [tasks] procesi un pavedieni
    [cpu_move] procesora laiks gājienam
    [cpu_match] procesora laiks spēlei
    [scratch] darba mape
    [scratch_files] faili darba mapē
    [output] izvade
    [stderr] stderr
   *[other] { $limit }
}
sandbox-told = Tas spēlē bez tīkla, savā smilškastē.
every-rule = Visi noteikumi
column-key = atslēga
column-value = vērtība
column-about = ko tas nozīmē
changed = mainīts
nearest-preset = Tuvākais paraugs: { $preset }.

## What each rule means

rule-players = Cik spēlētāju sēž pie galda: 3, 4 vai 5. Katrā partijā spēlē trīs, pārējie nespēlē.
rule-all-pass = Kad visi saka „garām”: spēlē galdiņu, kārtis met kopā ar kopējo puli vai vienkārši pārdala (redeal).
rule-deal-packets = Kā dala kārtis: pa četrām, divas uz galda, pa četrām; vai galdu pēdējo.
rule-deal-first-dealer = Kas dala pirmais: 0. vieta (given), kam izkrīt loze (random) vai kas izvelk stiprāko kārti (high_card).
rule-deal-rotation = Kas dala nākamais: spēlētājs pa kreisi, lai kas būtu noticis.
rule-auction-mode = first_offer: spēlē pirmais, kas sola ko citu nekā „garām”. ranked: katrs sola vienreiz, un spēlē augstākais solījums (parastā, zole, aklā, mazā zole).
rule-auction-contracts = Ko var solīt: ordinary (parastā), solo (zole), small_solo (mazā zole), blind (aklā).
rule-auction-talon-decision = Vai pats solījums pasaka, ka galdu ņem (in_bid), vai lielais to pasaka pēc tam (after_bid). Ar after_bid zoli nesola: tā rodas, atdodot galdu.
rule-play-tricks = Cik stiķu izspēlē.
rule-play-first-lead = Kas iziet pirmajā stiķī: spēlētājs pa kreisi no dalītāja.
rule-scoring-ordinary = Punkti lielajam no katra pretinieka parastā spēlē: visi stiķi, 91 vai vairāk, 61 līdz 90, 31 līdz 60, 30 vai mazāk, neviena stiķa.
rule-scoring-solo = Tās pašas sešas rindas zolei.
rule-scoring-blind = Tās pašas sešas rindas aklajai zolei, ko piesaka, nepaskatoties kārtīs.
rule-scoring-small-solo = Punkti par mazo zoli: izpildītu (neviena stiķa) un zaudētu. Izspēlē visus astoņus stiķus; galds nav neviena.
rule-scoring-talon-solo = Kam pieder galds, ko neviens neņem: zolē un aklajā zolē pretiniekiem.
rule-table-talon = Galdiņā galdu neizmanto, vai arī pirmajos divos stiķos tas spēlē kā spēlētājs (pēdējais, vai pirmais, kur tas iziet).
rule-table-settlement = Kas galdiņā maksā: kam visvairāk stiķu, maksā katram pārējam; vai kam visvairāk acu; vai kam vismazāk stiķu, saņem no katra.
rule-table-stake = Cik galdiņā maksā katram.
rule-table-tiebreak = Kas izšķir, ja stiķu ir vienādi.
rule-table-dead-tie = Kad diviem vienādi gan stiķi, gan acis: abi maksā trešajam (vai, kur saņem tas, kam vismazāk, abi saņem no tā). Ja vienādi trim, nemaksā neviens.
rule-table-lead-after-talon = Kas iziet, kad galds paņēmis otro stiķi.
rule-pools-enabled = Vai spēlē pules. Tām vajag all_pass = "pool" un partiju sesiju kā vienību.
rule-pools-collective-stake = Cik katrs pretinieks maksā tam, kas vinnē kopējo puli.
rule-pools-personal-stake = Cik personīgās pules īpašnieks maksā tam, kas to vinnē.
rule-pools-won-by = Spēles, ar kurām vinnē puli: vispirms savu (par to nemaksā), tad kopējo, tad cita.
rule-pools-lost-by = Spēles, kuras zaudējot rodas personīgā pule.
rule-pools-creation-needs = Zaudēta spēle rada personīgo puli tikai tad, ja kāda pule jau ir uz galda.
rule-pools-foreign-choice = Kuru no vairākām citu spēlētāju pulēm vinnē: vecāko.
rule-sitout-scoring = Vai tie, kas nespēlē, maksā un saņem kā lielā pretinieki, vai nemaz.
rule-sitout-in-table = Kas nespēlē, tiem galdiņā nav daļas.
rule-surrender-declarer = Vai lielais drīkst padoties: pirms iziešanas trešajā stiķī, kā ar 31 līdz 60 acīm (mazā zole ir zaudēta); vai nekad (off).
rule-surrender-defender = Vai mazais drīkst piedāvāt padoties, kas saista arī partneri; lielais piekrīt (61 līdz 90) vai spēlē tālāk. Šeit katrs mazais to drīkst vienreiz partijā, savā gājienā.
rule-conduct-move-limit-s = Sekundes vienam gājienam.
rule-conduct-on-fault = Ko maksā kļūda: partija ir zaudēta, vai tās vietā izspēlē pirmo atļauto izvēli (substitute).
rule-conduct-fault-payer = Kas maksā par mazā kļūdu: vainīgais viens pats vai, kā parasti, tā puse.
rule-conduct-corrections = Cik reižu atbildi tajā pašā laikā drīkst labot, pirms tā ir kļūda.
rule-conduct-max-faults = Pēc cik kļūdām vienā spēlē bots no tās ir ārā.
