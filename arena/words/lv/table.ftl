### What people read at a table, in a replay and in a terminal.
###
### $who says who does something: "you", "talon", or "other" with a $name. { CARD($card) } is a card,
### in the case that is asked for: { CARD($card, case: "accusative") } is made by the message card.
###
### Not yet read over by a native player. Terms: zolei.lv, pso.lv and Latvian Wikipedia (dūzis, kungs,
### dāma, kalps; stiķis, trumpis, acs; lielais and mazie; galds; garām; zole, mazā zole; norakt; pule;
### partija), tournament regulations (dalītājs, pirmā roka; punkti for stakes).

## Cards

suit = { $suit ->
    [clubs] kreiči
    [spades] pīķi
    [hearts] erceni
   *[diamonds] kāravi
}
rank = { $rank ->
    [ace] { $case ->
        [accusative] dūzi
       *[nominative] dūzis
    }
    [king] { $case ->
        [accusative] kungu
       *[nominative] kungs
    }
    [queen] { $case ->
        [accusative] dāmu
       *[nominative] dāma
    }
    [jack] { $case ->
        [accusative] kalpu
       *[nominative] kalps
    }
    [ten] { $case ->
        [accusative] desmitnieku
       *[nominative] desmitnieks
    }
    [nine] { $case ->
        [accusative] devītnieku
       *[nominative] devītnieks
    }
    [eight] { $case ->
        [accusative] astotnieku
       *[nominative] astotnieks
    }
   *[seven] { $case ->
        [accusative] septītnieku
       *[nominative] septītnieks
    }
}
card = { $suit ->
    [clubs] kreiča
    [spades] pīķa
    [hearts] ercena
   *[diamonds] kārava
} { rank }
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
card-face-down = aizklāta kārts

## Who, and where

place = { $place ->
    [you] Jūs
    [left] Pa kreisi
    [right] Pa labi
    [across] Pretī
    [far-left] Tālāk pa kreisi
   *[far-right] Tālāk pa labi
}
# Two bots have the same name.
name-and-place = { $name } ({ $place ->
    [left] pa kreisi
    [right] pa labi
    [across] pretī
    [far-left] tālāk pa kreisi
   *[far-right] tālāk pa labi
})
# The name of a player within a sentence.
name = { $who ->
    [you] jūs
    [talon] galds
   *[other] { $name }
}

## Games

game = { $game ->
    [ordinary] parastā spēle
    [solo] zole
    [small_solo] mazā zole
    [blind] aklā zole
    [table] galdiņš
   *[thrown_in] pārdala
}
a-game = { $game ->
    [ordinary] parasto spēli
    [solo] zoli
    [small_solo] mazo zoli
    [blind] aklo zoli
    [table] galdiņu
   *[thrown_in] partiju, ko pārdala
}
no-game = nav spēles
# What somebody said in the auction, as it stands beside the name.
word = { $word ->
    [pass] garām
    [ordinary] spēlēju
    [solo] zole
    [small_solo] mazā zole
    [blind] aklā zole
    [take] ņem galdu
   *[give] atdod galdu
}
# An answer in a list of moves.
answer-word = { $word ->
    [pass] Garām
    [ordinary] Spēlēju
    [solo] Zole
    [small_solo] Mazā zole
    [blind] Aklā zole
    [take] Ņemt galdu
    [give] Atdot galdu
    [yes] jā
    [no] nē
   *[offer] Piedāvāt padoties
}

## What happens

points = { $count ->
    [zero] { $count } acis
    [one] { $count } acs
   *[other] { $count } acis
}
tricks = { $count ->
    [zero] { $count } stiķi
    [one] { $count } stiķis
   *[other] { $count } stiķi
}
cards = { $count ->
    [zero] { $count } kārtis
    [one] { $count } kārts
   *[other] { $count } kārtis
}
stakes = { $count ->
    [zero] { $amount } punkti
    [one] { $amount } punkts
   *[other] { $amount } punkti
}
deal-number = { $deal }. partija
the-days-deal = Dienas partija
played-again = Vēlreiz
dealing = { $who ->
    [you] Jūs dalāt.
   *[other] Dala { $name }.
}
you-sit-out = Šajā partijā jūs nespēlējat.
forehand-is = { $who ->
    [you] Jums pirmā roka.
   *[other] Pirmā roka: { $name }.
}
deal-begins = { $deal }. partija.
blind-declared = { $who ->
    [you] Jūs piesakāt aklo zoli.
   *[other] { $name } piesaka aklo zoli.
}
blind-not-declared = { $who ->
    [you] Jūs paskatāties savas kārtis.
   *[other] { $name } paskatās savas kārtis.
}
passes = { $who ->
    [you] Jūs sakāt: „Garām.”
   *[other] { $name } saka: „Garām.”
}
bids = { $who ->
    [you] Jūs sakāt
   *[other] { $name } saka
}: { $bid ->
    [ordinary] „Spēlēju.”
    [solo] „Zole!”
    [small_solo] „Mazā zole!”
   *[blind] „Aklā zole!”
}
talon-taken = { $who ->
    [you] Jūs ņemat galdu.
   *[other] { $name } ņem galdu.
}
talon-given = { $who ->
    [you] Jūs atdodat galdu.
   *[other] { $name } atdod galdu.
}
plays-against = { $who ->
    [you] Jūs esat lielais un spēlējat { a-game }.
   *[other] Lielais ir { $name }, kas spēlē { a-game }.
}
all-pass-table = Visi garām: galdiņš. Ņemiet pēc iespējas mazāk stiķu.
all-pass-thrown-in = Visi garām: pārdala.
plays-card = { $who ->
    [you] Jūs izspēlējat { CARD($card, case: "accusative") }.
    [talon] No galda nāk { CARD($card) }.
   *[other] { $name } izspēlē { CARD($card, case: "accusative") }.
}
lays-aside = { $who ->
    [you] Jūs norokat { CARD($card, case: "accusative") } un { CARD($second, case: "accusative") }.
   *[other] { $name } norok { CARD($card, case: "accusative") } un { CARD($second, case: "accusative") }.
}
# $count are the points of the trick, $trick is its number.
trick-taken = { $who ->
    [you] { $trick }. stiķis ir jūsu, { points }.
    [talon] { $trick }. stiķis paliek galdam, { points }.
   *[other] { $trick }. stiķi paņem { $name }, { points }.
}
gives-up = { $who ->
    [you] Jūs padodaties.
   *[other] { $name } padodas.
}
offers = { $who ->
    [you] Jūs piedāvājat padoties.
   *[other] { $name } piedāvā padoties.
}
offer-accepted = Lielais piekrīt.
offer-refused = Lielais spēlē tālāk.
# $fault and $detail are the arena's own words.
fault-of = { $who ->
    [you] Jūsu kļūda: { $fault }, { $detail }.
   *[other] Kļūda ({ $name }): { $fault }, { $detail }.
}
plays-on = { $who ->
    [you] Jūs spēlējat tālāk.
   *[other] { $name } spēlē tālāk.
}

## At the table

table = Galds
declarer = lielais
dealer = dalītājs
forehand = pirmā roka
sits-out = nespēlē
bot-stands-in = spēlē bots
bot-stood-in = Jūsu vietā spēlēja bots.
defender = mazais
talon = galds
talon-of-defenders = galds (mazajiem)
hands-as-dealt = kārtis, kā dalītas
laid-aside = norakts
the-trick = Stiķis
led = izgāja
you-lead-here = jūs izejat
your-card-here = jūsu kārts
the-auction = Solīšana
table-game = Galdiņš
table-goal = { $settlement ->
    [most_points_pays] Galdiņš: zaudē, kam visvairāk acu
    [fewest_tricks_collects] Galdiņš: uzvar, kam vismazāk stiķu
   *[other] Galdiņš: zaudē, kam visvairāk stiķu, tad acu
}
thrown-in = Pārdala
declares-game = lielais: { game }
game-declared = { $who ->
    [you] { $game ->
        [ordinary] Jūs esat lielais
        [solo] Zole, jūs esat lielais
        [small_solo] Mazā zole, jūs esat lielais
       *[blind] Aklā zole, jūs esat lielais
    }
   *[other] { $game ->
        [ordinary] Lielais ir { $name }
        [solo] Zole, lielais ir { $name }
        [small_solo] Mazā zole, lielais ir { $name }
       *[blind] Aklā zole, lielais ir { $name }
    }
}
# Points of one side, and how many it needs; $more is "yes" where cards are not seen that count for it.
declarer-has = { $who ->
    [you] Jums
   *[other] { $name }
} { $count }{ $more ->
    [yes] +
   *[no] { "" }
} { $reached ->
    [yes] ✓
   *[no] no 61
}
needs-points = { $count ->
    [0] { $name }: 61 acs ir sasniegta.
    [zero] { $name }: vajag vēl { $count } acis.
    [one] { $name }: vajag vēl { $count } aci.
   *[other] { $name }: vajag vēl { $count } acis.
}
side-has = { $side ->
    [others] mazajiem
    [yours] jūsu pusei
   *[defenders] mazajiem
} { $count }{ $more ->
    [yes] +
   *[no] { "" }
} { $reached ->
    [yes] ✓
   *[no] no 60
}
on-the-table = uz galda { $count }
may-take-none = { $who ->
    [you] Jūs nedrīkstat ņemt nevienu stiķi
   *[other] { $name } nedrīkst ņemt nevienu stiķi
}
talon-has = galdam { points }
pools = pules: { $pools }
pools-collective = { $count ->
    [zero] { $count } kopējās
    [one] { $count } kopējā
   *[other] { $count } kopējās
}

## Questions

your-turn-to-bid = Jūsu kārta solīt.
ask-blind = Vai piesakāt aklo zoli, neskatoties kārtīs?
ask-talon = Ņemat galdu un norokat divas kārtis, vai atdodat to mazajiem un spēlējat zoli?
ask-discard = Galds ir jūsu. Izvēlieties divas kārtis, ko norakt.
ask-offer = { $name } piedāvā padoties: jums uzvara kā ar 61 līdz 90 acīm. Vai piekrītat?
ask-lead = Jūsu kārta: izejiet ar jebkuru kārti.
ask-card = Jūsu kārta: { $who ->
    [talon] no galda nāca { CARD($card) }
   *[other] { $name } izgāja ar { CARD($card, case: "accusative") }
}{ $trump ->
    [yes] {" "}(trumpis)
   *[no] { "" }
}.
answer-blind = { $blind ->
    [yes] Pieteikt aklo
   *[no] Paskatīties kārtis
}
# The buttons of an auction; $next is "yes" where the talon is decided afterwards.
answer-bid = { $bid ->
    [pass] Garām
    [ordinary] Spēlēju
    [solo] Zole
    [small_solo] Mazā zole
   *[blind] Aklā zole
}
# What a bid means, below it.
answer-bid-more = { $bid ->
    [ordinary] { $next ->
        [yes] par galdu pēc tam
       *[no] ņemu galdu
    }
    [solo] bez galda
   *[small_solo] neviena stiķa
}
# Before two rows of stakes: what a game pays, and what it costs.
tile-wins = vinnē { $range }
tile-loses = zaudē { $range }
tiles-pay = Jūsu punkti kopā no visiem pretiniekiem
answer-talon = { $choice ->
    [take] Ņemu galdu
   *[give] Atdodu, spēlēju zoli
}
answer-play-on = Spēlēt tālāk
answer-give-up = Padoties
answer-accept = Piekrist
answer-offer = Piedāvāt padoties
# On a narrow window, and once it was pressed.
answer-offer-short = Atdot partiju
play-rest = Izspēlēt atlikušo
play-rest-short = Izspēlēt
really-offer = Tiešām? { $stakes }
# What conceding means, while it is pressed again.
offer-binds = Lielais drīkst atteikt. Piedāvājums saista arī partneri.
conceding-pays = Jūs maksājat kā ar 31 līdz 60 acīm.
lay-aside = Norakt { $cards }
choose-more = { $count ->
    [zero] Jāizvēlas vēl { $count }
    [one] Jāizvēlas vēl { $count }
   *[other] Jāizvēlas vēl { $count }
}
why-not-trumps = Izgāja ar trumpi, un jums tāds ir: trumpji ir dāmas, kalpi un kāravi.
why-not-suit = Izgāja ar { $suit ->
    [clubs] kreici
    [spades] pīķi
   *[hearts] ercenu
}, un jums tāds ir.{ $trump ->
    [yes] {" "}Taču { CARD($card) } ir trumpis.
   *[no] { "" }
}
refused = Atbilde noraidīta: { $why }. Izvēlieties vēlreiz.
on-at-once = { $touch ->
    [yes] Pieskāriens turpina uzreiz.
   *[no] Klikšķis vai atstarpe turpina uzreiz.
}
other-tab-asked = Atbildiet otrā cilnē.
waiting-for = Gaidām: { $name } …
waiting-for-offer = Jūsu piedāvājums: gaidām, ko teiks { $name } …
invite-friends = Uzaicināt draugus
invite-helps = Katra saite atver vienu vietu. Pirmā partija sākas, kad visi ir ieradušies.
waiting-for-others = Gaidām pārējos …
waiting-for-deal = Gaidām pirmo partiju …
thinking = Domāju …
hint-is = Padoms: { $answer }.

## The table's page

you = Jums { $stakes }
your-turn-title = ● Jūsu kārta - Zole
settings = Iestatījumi
keys = Taustiņi
help = Palīdzība
trumps = Trumpji
trumps-elsewhere = { $count ->
    [zero] Citur ir { $count } trumpju.
    [one] Citur ir { $count } trumpis.
   *[other] Citur ir { $count } trumpji.
}
trumps-frames = Ierāmētās ir jūsu, pelēkās vairs nav spēlē.
# Of a card, in the list of all: what has become of it.
card-gone = , izspēlēta vai norakta
card-yours = , jūsu
help-trumps = Trumpji, sākot ar stiprāko
help-trumps-order = Visi trumpji ir viena krāsa: dāmas, tad kalpi, katrs šādā secībā: kreicis, pīķis, ercens, kāravs; pēc tiem pārējie kāravi.
help-suits = Pārējās krāsas, sākot ar stiprāko
help-points = Kāršu acis
help-points-each = dūzis 11, desmitnieks 10, kungs 4, dāma 3, kalps 2, pārējās 0; kopā 120
help-terms = Vārdi un zīmes
means-declarer = spēlē viens un uzvar, ja paņem vismaz 61 aci no 120. Pārējie ir mazie.
means-forehand = sēž pa kreisi no dalītāja, sola pirmā un iziet uz pirmo stiķi. Dala pēc kārtas, pa kreisi.
means-trick = pa kārtij no katra. Kas var, tam jāliek krāsa, ar kuru izgāja; citādi drīkst likt jebko. To ņem augstākais trumpis, bez trumpjiem augstākā kārts tajā krāsā, ar kuru izgāja; kas paņem, iziet uz nākamo.
means-talon = divas kārtis, kas dalot paliek pāri. Parastajā spēlē tās ņem lielais, zolē to acis pieder mazajiem.{ $turned ->
    [yes] {" "}Galdiņā tās atver pirmajos divos stiķos.
   *[no] {" "}Galdiņā tās nepieder nevienam.
}
means-play = spēlē viens ar galdu: norok divas kārtis un uzvar ar 61 aci.
means-zole = spēlē viens bez galda, par vairāk punktiem.
means-table-game = visi teica „garām”: katrs spēlē par sevi. Zaudē, kam visvairāk stiķu; ja stiķu vienādi, kam vairāk acu.
means-stakes = tas, ko partija maksā; tie krājas visu spēli. Acis izšķir tikai vienu partiju.
means-concede = atzīt partiju par zaudētu, ja noteikumi to ļauj. Lielais to var līdz otrā stiķa beigām un maksā kā ar 31 līdz 60 acīm. Katrs mazais to vienreiz var piedāvāt, kad jāliek kārts; lielais piekrīt un saņem kā ar 61 līdz 90 vai spēlē tālāk.
means-hint = labākā atbilde daudzos dalījumos, kas atbilst redzētajam, katru izspēlējot līdz galam tā, it kā visi redzētu visas kārtis.
ring = Dzeltens rāmis
means-ring = šo kārti drīkst likt. Raustīts rāmis ir padoms.
edge = Krāsaina mala
means-edge = kārts, kas pagaidām ņem stiķi.
plus = 0+
means-plus = līdz šim iegūtās acis, un vēl divas kārtis, kas nav redzamas: lielā noraktās vai, zolē, galds, ko skaita mazajiem.
# The figures of docs/strategy.md, roughly.
help-thumb = Padomi
thumb-play = ar pieciem trumpjiem, no tiem divām dāmām, un citas masts dūzi vai ar sešiem trumpjiem, no tiem divām dāmām. Ja abi pārējie saka „garām”, pietiek ar mazāk: arī viņi ir vāji.
thumb-zole = ar septiņiem trumpjiem un citas masts dūzi, ar sešiem un diviem šādiem dūžiem vai ar astoņiem trumpjiem.
thumb-declarer = norok divas kārtis tā, lai kādas masts vairs nebūtu: vientuļu kārti vai desmitnieku ar tā kungu; dūžus un trumpjus patur. Iziet ar augstāko trumpi, kamēr neviena kārts to nesit, tad ar dūzi.
thumb-defender = iziet ar citām mastīm, nevis ar trumpjiem. Dūzi vai desmitnieku pieliek partnera stiķim, kad lielais jau ir licis, ne agrāk.
help-rules = Kā spēlēt zoli
leave = Aiziet
close = Aizvērt
stay = Palikt
connecting = Savienojas …
your-cards = Jūsu kārtis
nearest-hand = Tuvākā roka
what-is-asked = Jūsu atbildes
last-trick = Pēdējais stiķis
hint = Padoms
give-up-later = Jūs padosieties pirms nākamā izgājiena.
give-up-not = Nepadoties
another-tab = Šajā vietā jūs spēlējat citā cilnē vai logā; šeit var tikai skatīties.
play-here = Spēlēt šeit
connection-lost = Savienojums zudis. Mēģina vēlreiz …
answered-already = Uz šo jautājumu jau atbildēts, vai arī beidzās laiks.
answer-lost = Atbilde vēl nav saņemta. Tā tiek sūtīta vēlreiz, līdz nonāk galā.
leaving-lost = Aiziet neizdevās: nav savienojuma. Mēģiniet vēlreiz.
site-silent = Vietne neatbild. Mēģiniet vēlreiz.
not-taken = Serveris to nepieņēma.
your-time = Jūsu laiks
seconds-left = { $count ->
    [zero] Atlikušas { $count } sekundes
    [one] Atlikusi { $count } sekunde
   *[other] Atlikušas { $count } sekundes
}
leave-title = Vai aiziet no spēles?
replay-title = Spēlēt to vēlreiz?
leave-for-replay = To spēlēsiet pie jauna galda. Šī spēle jūs gaidīs.
leave-retry = Partija, ko izspēlējat vēlreiz, ar to beidzas.
leave-guest = Tā gaida ceturtdaļstundu, kamēr skatāties citur, un visu laiku, kamēr spēlējat dienas partiju. Ja aizejat, atgriezties nevarēs.
look-around = Paskatīties citur
leave-friend = Jūsu vietā tālāk spēlēs bots, kamēr kāds draugs paliek. Šī lapa ved atpakaļ.
leave-person = Atgriezties nevarēs: jūsu vieta zaudē šo partiju un katru nākamo, kurā tai ko jautā.
skip-title = Vai izlaist mācību?
leave-lesson = To var apgūt vēlāk: palīdzība (?) pie katra galda ved atpakaļ uz mācību.
browser-keeps = Šī pārlūkprogramma jūsu izvēli atcerēsies.
setting-language = Valoda
setting-pace = Pārējie spēlē
setting-deck = Kārtis
setting-sound = Kāršu skaņa
choice = { $choice ->
    [briskly] raiti
    [calmly] mierīgi
    [at-once] uzreiz
    [four-colours] četras krāsas
    [classic] klasiskās
    [large-index] lieli burti
    [off] izslēgta
   *[on] ieslēgta
}
key-move = uz iepriekšējo vai nākamo kārti vai atbildi
key-enter = izspēlēt šo kārti, dot šo atbildi; partijas beigās: nākamā partija
key-space = tālāk uzreiz, kamēr spēlē pārējie vai apskata stiķi
key-number = kārts vai atbilde ar šo numuru
key-trumps = trumpji, acis un ko spēle maksā
key-last-trick = vēlreiz pēdējais stiķis vai atpakaļ pie šī
key-hint = padoms, kas neko nemaksā
key-offer = piedāvāt padoties, ja esat mazais un noteikumi to ļauj
key-give-up = padoties pirms nākamā stiķa vai tomēr ne: ja esat lielais un noteikumi to ļauj
key-play-rest = kad partija izšķirta: izspēlēt pēdējās kārtis jūsu vietā pēc padomiem
key-help = šī palīdzība

## The score sheet

score-sheet = Protokols
total-after = kopā pēc tās
deal = partija
deals-listed = Partijas
now = tagad
in-the-pools = Pulēs: { $pools }.
what-happened = Kas notika
this-deal = Šī partija
what-it-pays = Punkti
this-game-pays = Punkti šajā partijā
most-points-pay = { $count ->
    [zero] Kam visvairāk acu, tas maksā katram pārējam { $count } punktus.
    [one] Kam visvairāk acu, tas maksā katram pārējam { $count } punktu.
   *[other] Kam visvairāk acu, tas maksā katram pārējam { $count } punktus.
}
table-tie = { $settlement ->
    [fewest_tricks_collects] Ja stiķu ir vienādi, uzvar tas, kam mazāk acu.
    [most_points_pays] Ja acu ir vienādi, maksā tas, kam vairāk stiķu; ja vienādi ir abi skaiti, katrs no abiem maksā trešajam { $stake }.
   *[most_tricks_pays] Ja stiķu ir vienādi, maksā tas, kam vairāk acu; ja vienādi ir abi skaiti, katrs no abiem maksā trešajam { $stake }.
}
declarer-takes = lielais paņem
from-each = no katra
level = { $level ->
    [all_tricks] visus stiķus
    [ge91] 91 aci vai vairāk
    [ge61] 61 līdz 90 acis
    [from_31] 31 līdz 60 acis
    [le30] 30 acis vai mazāk (jaņi)
    [no_tricks] nevienu stiķi
    [made] nevienu stiķi: izpildīts
   *[lost] kādu stiķi: zaudēts
}
tier-paid = { $level }: { $won ->
    [yes] lielais saņem { $count } no katra
   *[no] lielais maksā { $count } katram
}.
most-tricks-pay = { $count ->
    [zero] Kam visvairāk stiķu, tas maksā katram pārējam { $count } punktus.
    [one] Kam visvairāk stiķu, tas maksā katram pārējam { $count } punktu.
   *[other] Kam visvairāk stiķu, tas maksā katram pārējam { $count } punktus.
}
fewest-tricks-win = { $count ->
    [zero] Kam vismazāk stiķu, tas saņem no katra pārējā { $count } punktus.
    [one] Kam vismazāk stiķu, tas saņem no katra pārējā { $count } punktu.
   *[other] Kam vismazāk stiķu, tas saņem no katra pārējā { $count } punktus.
}

## The end of a deal, and of a match

deal-over = Partija beigusies
deal-won = { $count ->
    [zero] Jūs vinnējat { $count } punktus
    [one] Jūs vinnējat { $count } punktu
   *[other] Jūs vinnējat { $count } punktus
}
deal-lost = { $count ->
    [zero] Jūs zaudējat { $count } punktus
    [one] Jūs zaudējat { $count } punktu
   *[other] Jūs zaudējat { $count } punktus
}
deal-even = Jūs neko nevinnējat un neko nezaudējat
deal-sat-out = Jūs nespēlējāt
# What is shown of a deal that is over.
part = { $part ->
    [result] Rezultāts
    [tricks] Stiķi
    [review] Izvērtējums
   *[same] Tās pašas kārtis
}
levels-play = Visu līmeņu boti spēlē šīs kārtis …
levels-silent = Pašlaik neviens bots nevar spēlēt šīs kārtis.
same-cards-told = Tās pašas kārtis jūsu vietā, ko katra līmeņa bots nospēlēja vienreiz; izšķir arī veiksme:
one-deal-is-luck = Vienu partiju izšķir arī veiksme: arī labāka kārts var zaudēt.
first-time = Pirmajā reizē: { $amount }.
try-again-here = Mēģināt vēlreiz no šejienes
play-these-again = Spēlēt šīs kārtis vēlreiz
strength = { $level ->
    [beginner] Iesācējs
    [club] Kluba spēlētājs
    [strong] Stiprs spēlētājs
   *[master] Meistars
}
# $day is a date, $amount stakes with their sign.
day-result = Dienas partija, { $day }: { $amount }{ $with ->
    [points] {" "}ar { points }
   *[nothing] { "" }
}.
day-first = Jūs to spēlējat pirmais.
day-bots = Boti ar tām pašām kārtīm: { $made }.
day-others = To spēlējuši vēl { $count }: sliktāk { $less }, tāpat { $same }, labāk { $more }. Ja punkti vienādi, izšķir acis.
day-better-than = { $count ->
    [zero] Labāk nekā { $share } % no { $count } citiem.
    [one] Labāk nekā { $share } % no { $count } cita.
   *[other] Labāk nekā { $share } % no { $count } citiem.
}
to-the-end = Gala rezultāts
trick-before = Iepriekšējais stiķis
trick-after = Nākamais stiķis
next-deal = Nākamā partija
what-it-paid = Ko tā maksāja
seat = vieta
in-all = kopā
looking-for-better = Meklē labākas atbildes …
what-would-be-better = Labākas atbildes
no-mistake = Skaidru kļūdu nav, ņemot vērā to, ko varējāt zināt.
no-clear-mistake = Skaidru kļūdu nav. Pareizi izvēlējāties, kad uz spēles bija visvairāk: { $where }.
was-right = { $given } bija pareizi.
cards-decided = Ja visi būtu redzējuši visas kārtis, neviena cita jūsu kārts nebūtu bijusi labāka.
in-hindsight = { $where }: ja visi būtu redzējuši visas kārtis, labāk būtu bijis { $better }.
better = { $best } bija labāk nekā { $given }: vidēji par { $loss } punktiem vairāk.
better-plain = { $best } bija labāk nekā { $given }.
close-calls = Labāk, bet pārāk tuvu, lai sauktu par kļūdu:
where-deal = { $deal }. partija
where-trick = { $trick }. stiķis
ask = { $ask ->
    [blind] aklā zole
    [bid] solīšana
    [talon] galds
    [discard] norakt
    [surrender] padoties
    [offer] piedāvājums
   *[play] kārts
}
dearest-moments = Jūsu dārgākās kļūdas
course-of-match = Visu spēlētāju rezultāts pēc katras partijas
match-over = Spēle beigusies
match-place = { $of ->
    [deal] Partija
   *[match] Spēle
} beigusies: { $stands ->
    [won] jūs uzvarējāt
    [shared] dalīta { $place }. vieta no { $players }
   *[other] { $place }. vieta no { $players }
}.
you-have-left = Jūs aizgājāt.
come-back = Atgriezties
back-to-match = Atpakaļ uz spēli
disqualified = Jūsu vietai bija pārāk daudz kļūdu: tā ir diskvalificēta.
play-again = Spēlēt vēlreiz
play-a-match = Spēlēt spēli
other-bots = Citi boti
the-standings = Tabula
may-close = Šo lapu var aizvērt. { $play } sāk jaunu spēli; { $replay } vēlreiz parāda spēli, kas saglabāta ar { $record }.
this-table = Šis galds
bots-play-here = Pie šī galda spēlē boti: { $names }.{ $day ->
    [yes] { "" }
   *[no] {" "}Spēli neieskaita.
}
day-same-cards = Dienas partija: šodien visi spēlē ar šīm kārtīm, un skaitās pirmā reize.
watch = skatīties
friends-may-watch = Draugi var { $watch }: viņi redz to, ko redz visi pie galda, un rokas, kad partija galā.
see-it-again = Skatīties vēlreiz
see-again-card-by-card = { $link }, kārti pēc kārts.
share = { $what ->
    [result] Dalīties ar rezultātu
    [replay] Dalīties ar ierakstu
   *[link] Dalīties ar saiti
}
address-copied = Adrese nokopēta.
the-log = Žurnāls
log-is-yours = { $link }: visi gājieni kā teksts. Atskaņojums un žurnāls šeit glabājas mēnesi.

## The guided first deals: at most 15 words at a time

coach = Treneris
go-on = Tālāk
skip = Izlaist
learn = Iemācīties piecās minūtēs
learnt = Jūs zināt pietiekami, lai spēlētu
learnt-helps = Galds ierāmē kārtis, ko drīkst likt. Lielais iziet ar augstāko trumpi, kamēr to neviens nevar sist, tad ar dūzi. Īkšķa likumiem ir izņēmumi: apmēram vienreiz no septiņām labāka ir cita kārts. Padoms izmēģina jūsu kārtis daudzos dalījumos, kas atbilst redzētajam. Pie katra galda palīdzība (?) ved atpakaļ uz šo mācību.
learnt-match = Šeit divreiz pēc kārtas dalīja Juris; pie galda ikreiz dala nākamais pa kreisi. Spēli uzvar tas, kam pēc pēdējās partijas visvairāk punktu.
start-playing = Spēlēt tagad
anna = Anna
juris = Juris
coach-welcome = Laipni lūdzam! Trim spēlētājiem ir pa astoņām kārtīm; divas vidū sauc par galdu.
coach-trick = Stiķis: katrs liek vienu kārti, un augstākā ņem visas trīs.
coach-passed = Katrs var solīt spēlēt viens. Šoreiz neviens nesola: zaudē, kam visvairāk stiķu.
coach-trumps = Dāmas, kalpi un kāravi ir trumpji: tie sit visas citas. Augstākā pirmā, jūsējās ierāmētas.
coach-suits = Kreičiem, pīķiem un erceniem ir tikai pa četrām kārtīm: dūzis, desmitnieks, kungs, devītnieks.
coach-lead-low = Stiķus nevajag: izejiet ar pīķa devītnieku. Dzeltenā rāmī ir kārtis, ko drīkst likt.
coach-lead-lower = Ar to var nākties ņemt stiķi. Sāciet ar pīķa devītnieku.
coach-suit-first = Trumpji bieži ņem stiķi: pataupiet tos. Izejiet ar pīķa devītnieku.
coach-no-ace = Dūzi sit tikai trumpis. Sāciet ar mazo devītnieku.
coach-highest = Annas desmitnieks ir augstākais pīķis: viņa ņem šo stiķi un iziet uz nākamo.
coach-follow = Izgāja ar ercenu, jāliek ercens. Dūzis ņemtu stiķi: lieciet kungu.
coach-ace-wins = Jūsu dūzis sit desmitnieku un ņem stiķi. Lieciet kungu.
coach-void = Kreiču jums nav: drīkst likt jebko. Tieciet vaļā no pīķa dūža!
coach-off-suit = Jūsu dūzis nav ne kreicis, ne trumpis, tāpēc stiķi neņem: to ņem Annas desmitnieks.
coach-trump-takes = Trumpis ņemtu šo stiķi, bet jums to nevajag. Metiet dūzi.
coach-other-ace = Tas ir tikpat labi. Bet šoreiz metiet pīķa dūzi.
coach-trump-led = Izgāja ar trumpi, jāliek trumpis. Dāma ņemtu stiķi: lieciet devītnieku, septītnieku pataupiet.
coach-lower-later = Arī droši. Bet mazās kārtis stiķus vēlāk neņems: atdodiet devītnieku, septītnieku pataupiet.
coach-queen-takes = Dāma sit kalpu, tātad stiķis būtu jums. Lieciet devītnieku.
coach-rest = Juris ņem stiķi un iziet. Pārējās kārtis izspēlēs jūsu vietā.
coach-trumped = Annai vairs nav kreiču: viņas kārava desmitnieks, trumpis, sit kungu.
coach-queens = Dāmu secība: kreicis, pīķis, ercens, kāravs. Pēdējo stiķi ņem Annas dāma.
coach-end-few = Annai visvairāk stiķu: viņa katram no jums maksā divus punktus. Punktus skaita visu spēli.
coach-end-tie = Ja stiķu vienādi, izšķir acis: par tām nākamajā partijā. Galds neskaitās nevienam.
coach-pass = Jums pirmā roka, pa kreisi no dalītāja: solāt pirmais. Bez dāmas par vāju: spiediet „Garām”.
coach-too-weak = Jūsu trumpji ir pārāk mazi, lai spēlētu viens. Spiediet „Garām”.
coach-partners = Anna saka „Spēlēju”, un solīšana beidzas: viņa spēlē viena un ir lielais.
coach-exchanged = Viņa paņēma galdu un noraka divas kārtis. Jūs ar Juri esat mazie.
coach-plus = „0+” nozīmē: skaitās arī divas kārtis, ko viņa noraka.
coach-had-ace = Nepaveicās: dūzis bija Annai. Viņa ņem stiķi un iziet uz nākamo.
coach-points = Kārtīm ir acis: dūzim 11, desmitniekam 10, kungam 4, dāmai 3, kalpam 2, citām 0.
coach-sides = Te skaita stiķu acis: Annai vajag 61 no 120, jums ar Juri pietiek ar 60.
coach-lead-ace = Pirmā roka arī iziet pirmā. Izejiet ar dūzi: to sit tikai trumpis.
coach-why-ace = Dūzis dod vairāk acu, un to sit tikai trumpis. Izejiet ar dūzi.
coach-partner-gave = Juris pielika desmitnieku, arī tas ir jūsu: kopā jums ir { points }.
coach-lead-nothing = Izejiet ar ercena devītnieku: acu tajā nav, un Juris to varbūt paņems.
coach-why-nothing = Pietaupiet trumpjus vēlākiem stiķiem. Ercena devītniekā acu nav.
coach-other-nine = Arī tajā acu nav. Bet ercena dūzis vēl var būt Jurim.
coach-give = Izgāja ar trumpi, Jura dāma ir augstāka. Jūs liekat pēdējais: pielieciet desmitnieku!
coach-partner-has-it = Šo stiķi jau ņem jūsu partneris: dodiet viņam desmitnieku.
coach-take = Pīķu jums nav: sitiet ar trumpi. Anna liek pēdējā, tāpēc ar augstāko: kalpu.
coach-jack-safer = Laba doma, bet augstāks trumpis te ir drošāks. Ņemiet ar kalpu.
coach-trump-it = Tad stiķi ņemtu Anna. Sitiet ar kalpu!
coach-took = Jūsu trumpis sit pat Annas dūzi: { points }. Nākamās kārtis izspēlēs jūsu vietā.
coach-defended = { points }: Anna vairs nevar sasniegt 61. Jūs un Juris uzvarējāt!
coach-end-defended = Anna nesasniedza 61 aci: viņa katram no jums maksā divus punktus.
coach-end-worse = Ar 30 acīm vai mazāk viņa maksātu trīs punktus, bez neviena stiķa četrus.
coach-strong = Parasti spēlē ar vismaz pieciem trumpjiem, no tiem divām dāmām, un citas masts dūzi.
coach-talon = „Spēlēju” nozīmē: ņemat galdu, norokat divas kārtis, un vienam jāsavāc 61 acs.
coach-bid = Spiediet „Spēlēju”: kopā vinnējat 2 līdz 6 punktus vai zaudējat 4 līdz 8.
coach-too-strong = Ar tik stiprām kārtīm ir vērts spēlēt. Spiediet „Spēlēju”!
coach-no-solo = Zolē spēlē bez galda. Ar šīm kārtīm „Spēlēju” ir drošāk.
coach-discard = Norociet ercena desmitnieku un kungu: to { points } paliek jums.
coach-why-hearts = Labāk ercena desmitnieku un kungu: acis paliek jums, un ercenus varat sist ar trumpi.
coach-draw = Jūsu augstāko trumpi neviens nevar sist: izejiet ar to. Abiem jāliek trumpis.
coach-why-draw = Vispirms izvelciet viņu trumpjus, lai tie nesistu dūzi: izejiet ar kreiča dāmu.
coach-highest-first = Gandrīz tikpat labi. Bet sāciet ar augstāko: kreiča dāmu.
coach-draw-again = Jau { points }. Tagad arī pīķa dāmu neviens nevar sist: izejiet ar to.
coach-why-again = Annai un Jurim vēl ir trumpji. Vispirms izejiet ar pīķa dāmu.
coach-cash = { points }. Jūsu augstāko trumpi tagad sit kalpi un dāmas: izejiet ar pīķa dūzi!
coach-why-cash = Viņiem ir augstāki trumpji nekā jums. Izejiet ar pīķa dūzi.
coach-made = { points }: pietiek ar 61. Jūs uzvarējāt! Pārējo izspēlēs jūsu vietā.
coach-end-made = Katrs maksā vienu punktu. Ar 91 aci maksā divus, ar visiem stiķiem trīs.
coach-end-zole = Trešais solījums ir zole: 61 acs bez galda, kas skaitās pārējiem.
coach-end-more = Zolē vinnē 8–12 vai zaudē 10–14: kad to spēlēt, redzams Palīdzībā (?).
table-decided = { $who ->
    [you] Jūs { $wins ->
        [yes] uzvarat
       *[no] zaudējat
    }
   *[other] { $name } { $wins ->
        [yes] uzvar
       *[no] zaudē
    }
}: { $settlement ->
    [fewest_tricks_collects] { $tied ->
        [yes] stiķu tikpat maz kā citam, bet acu mazāk
       *[no] vismazāk stiķu ({ $count })
    }
    [most_points_pays] { $tied ->
        [yes] acu tikpat daudz kā citam, bet stiķu vairāk
       *[no] visvairāk acu ({ $count })
    }
   *[most_tricks_pays] { $tied ->
        [yes] stiķu tikpat daudz kā citam, bet acu vairāk
       *[no] visvairāk stiķu ({ $count })
    }
}.
table-tied = { $paid ->
    [none] Visiem stiķu un acu ir vienādi: neviens nemaksā.
    [to] Diviem stiķu un acu ir vienādi: trešais maksā abiem.
   *[by] Diviem stiķu un acu ir vienādi: abi maksā trešajam.
}

## What came of a deal

result-none = Neviens nepieteica spēli.
result-table = Visi garām: galdiņš.
result-thrown-in = Visi garām: pārdala.
# $tricks and $points are counts in words.
result-talon = Galdam palika { points }: { $tricks }.
# $end says how it ended for the declarer.
result-declared = { $who ->
    [you] Jūs spēlējāt { a-game }: { $took }.{ $end ->
        [won] {" "}Jūs uzvarējāt.
        [lost] {" "}Jūs zaudējāt.
        [surrendered] {" "}Jūs padevāties.
        [conceded] {" "}Mazie padevās.
       *[none] { "" }
    }
   *[other] { $name } spēlēja { a-game }: { $took }.{ $end ->
        [won] {" "}Lielais uzvarēja.
        [lost] {" "}Lielais zaudēja.
        [surrendered] {" "}Lielais padevās.
        [conceded] {" "}Mazie padevās.
       *[none] { "" }
    }
}
result-forfeit = { $who ->
    [you] Jūs spēlējāt { a-game }: { $took }
   *[other] { $name } spēlēja { a-game }: { $took }
}{ $end ->
    [won] . Skaitās uzvara (kļūda: { $failed }).
   *[lost] . Skaitās zaudējums (kļūda: { $failed }).
}
took-points = { points } ({ $tricks }), mazajiem { $theirs }
no-trick = neviena stiķa
result-fault = { $who ->
    [you] Jūs
   *[other] { $name }
}: { $fault ->
    [timeout] beidzies laiks
    [exited] spēle pamesta
    [illegal] neatļauta atbilde
    [malformed] nesaprotama atbilde
   *[other] { $fault }
}.
match-over-plain = Spēle beigusies.
where-ask = { $ask ->
    [blind] Aklā zole
    [bid] Solīšana
    [talon] Galds
    [discard] Norakšana
    [surrender] Padošanās
    [offer] Piedāvājums
   *[play] Kārts
}
column-points = acis
column-tricks = stiķi
column-stakes = punkti

## A replay

match-title = { $league }, { $match }. spēle
deal-of = { $deal }. partija no { $most }
deal-shown-of = { $deal }. partija ({ $place } no { $most } šeit rādītajām)
after-deals = { $count ->
    [zero] pēc { $count } partijām
    [one] pēc { $count } partijas
   *[other] pēc { $count } partijām
}
in-deals-shown = { $count ->
    [zero] pirmajās { $count } šeit rādītajās partijās
    [one] pirmajā { $count } šeit rādītajā partijā
   *[other] pirmajās { $count } šeit rādītajās partijās
}
stakes-over = punkti { $deals }
rules-players = { $count ->
    [zero] { $count } spēlētāji, { $games }
    [one] { $count } spēlētājs, { $games }
   *[other] { $count } spēlētāji, { $games }
}
rules-all-pass = { $allpass ->
    [table] visi garām: galdiņš
    [pool] visi garām: pule
    [redeal] visi garām: pārdala
   *[other] visi garām: { $allpass }
}
rules-pools = ar pulēm
rules-and-isolation = { $rules }; izolācija: { $level }
no-deal-played = Šajā spēlē neviena partija nav izspēlēta.
# What a bot is asked, as a mark beside its name.
asked = { ask }?
is-asked = { $name } saņem jautājumu: { $ask ->
    [blind] vai piesaka aklo zoli
    [bid] ko sola
    [talon] ko dara ar galdu
    [discard] kuras divas kārtis norok
    [play] kuru kārti izspēlē
    [surrender] vai padodas
   *[offer] vai piekrīt
}.
no-answer = { $name } neatbild.
answers = { $name } atbild: { $answer }.
seat-sits-out = { $seat }. vieta nespēlē: par partiju tā uzzina beigās.
no-fault-before = Pirms šī nav nevienas kļūdas.
no-fault-after = Pēc šī nav nevienas kļūdas.
fault-unknown = { $seat }. vieta nezina, vai būs kļūda: A rāda no visām vietām.
mistake-unknown = { $seat }. vieta nezina, vai būs skaidra kļūda: A rāda no visām vietām.
no-mistake-of-seat = { $seat }. vietai pirms šī nav skaidras kļūdas.
no-mistake-before = { $all ->
    [yes] Pirms šī nav skaidras kļūdas.
   *[no] Pirms šī izvērtētajās partijās nav skaidras kļūdas.
}
no-mistake-after = { $all ->
    [yes] Pēc šī nav skaidras kļūdas.
   *[no] Pēc šī izvērtētajās partijās nav skaidras kļūdas.
}
result-unknown = { $seat }. vieta iznākumu uzzina, kad partija galā: A rāda no visām vietām.
result-is-shown = Iznākums ir redzams.
future-is-hidden = Kas vēl sekos, ir paslēpts.
deal-is-over = Partija galā.
match-is-over = Spēle galā.

## What can be done in a replay

trick-back = stiķi atpakaļ
card-back = kārti atpakaļ
play-or-pause = atskaņot vai apturēt
card-on = kārti uz priekšu
trick-on = stiķi uz priekšu
deal-back = partiju atpakaļ
deal-begin = partijas sākums
deal-end = partijas beigas
deal-on = partiju uz priekšu
fault-back = iepriekšējā kļūda
fault-on = nākamā kļūda
mistake-back = iepriekšējā skaidrā kļūda
mistake-on = nākamā skaidrā kļūda
show-result = rādīt partijas iznākumu vai slēpt turpmāko
close-help = aizvērt palīdzību
see-all = redzēt visas kārtis
look-from-seat = skatīties no { $seat }. vietas, { $name }
step = Solis
deals = Partijas
more = Vēl
look-from = Skatīties no
all-seats = visām
a-deal = Partija
result = iznākums
fault = Kļūda
mistake = Skaidra kļūda
before = iepriekšējā
next = nākamā
moment-of-deal = Partijas brīdis
help-future = Kas vēl sekos, netiek rādīts, ja vien to neprasāt vai neesat tur jau bijuši. Skats no vietas rāda tikai to, ko šī vieta zināja. Klikšķis diagrammā ved uz gājienu vai partiju.
help-values = Vērtības ir jautātās vietas punkti, ja visi tālāk spēlē ar atklātām kārtīm: vidēji pa partijām, ko tā nevarēja atšķirt, un šajā partijā, kāda tā bija. Skaidra kļūda pēc tā, ko vieta zināja, maksāja vismaz pusi punkta un vairāk nekā divas standartkļūdas.

## Parts of a replay

moves = Šīs partijas gājieni
as-dealt = kā izdalīts
mark-fault = kļūda
mark-refused = noraidīts
mark-note = piezīme
mistake-costs = skaidra kļūda, maksā
trick-to = { $trick }. stiķis: { $who ->
    [talon] galdam
   *[other] { $name }
}, { points }
current-move = Šis gājiens
bot-sent = Bots sūtīja { $answer }
fault-title = Kļūda
refused-title = Noraidīts
note-title = Piezīme
stderr-title = Kļūdu izvade
stderr-of = { $bot } kļūdu izvade, visa spēle
the-result = Iznākums
result-of-deal = Partijas iznākums
show-the-result = Rādīt iznākumu
seat-learns-later = Vieta to uzzina, kad partija galā.
stakes-after = punkti { $deals }
pools-after = Pules pēc tās: { $pools }.
no-pools-after = Pēc tās pulu nav.
the-deals = Partijas
filter-declarer = lielais
filter-contract = spēles veids
filter-swing = punkti
filter-fault = ar kļūdu
any = vienalga
none = neviens
swing-or-more = { $count ->
    [zero] { $count } punkti vai vairāk
    [one] { $count } punkts vai vairāk
   *[other] { $count } punkti vai vairāk
}
deals-found = { $count ->
    [zero] { $found } no { $count } partijām
    [one] { $found } no { $count } partijas
   *[other] { $found } no { $count } partijām
}
deals-found-so-far = { $count ->
    [zero] { $found } no { $count } līdz šim redzētajām partijām
    [one] { $found } no { $count } līdz šim redzētās partijas
   *[other] { $found } no { $count } līdz šim redzētajām partijām
}
deals-later = Partijas šeit parādās, kad tās ir galā.
show-all-deals = Rādīt visas partijas
no-contract = nav spēles
clear-mistakes = { $count ->
    [zero] { $count } skaidras kļūdas
    [one] { $count } skaidra kļūda
   *[other] { $count } skaidras kļūdas
}
seconds-of-deal = Sekundes katram šīs partijas gājienam
seconds-of-seat = Sekundes katram { $seat }. vietas gājienam šajā partijā
stakes-over-deals = Punkti pa partijām
expected-stakes = Gaidāmie punkti šajā partijā; katra svītra sniedzas līdz labākajai atbildei
stakes-lost = Ar atbildēm zaudētie punkti šajā partijā
course-of-deal = Partijas gaita
could-expect = { $name } šeit ar atklātām kārtīm varēja gaidīt { $amount } punktus

## The review in a replay

review = Izvērtējums
value-appears-here = Šeit parādās katras atbildes vērtība.
hangs-on-hidden = Šīs atbildes vērtība atkarīga no kārtīm, ko { $seat }. vieta neredz.
no-choice = Te nebija izvēles, vai tas nav izvērtēts.
no-choice-of-seat = Te nebija izvēles, vai tas nav izvērtēts: A rāda no visām vietām, no kurienes lapa to var izdarīt.
save-as-test = Kā bota pārbaude: { $command }
not-reviewed = Šī partija nav izvērtēta. Terminālī { $command } izvērtē visu spēli.
# $bots are the names of those whose answers alone were reviewed.
reviewed-for-only = Izvērtētas tikai šo botu atbildes: { $bots }.
all-answers = Visas { $count } atbildes
clear-mistake = { $mark }: labāk bija { $better }.
clear-mistake-mark = ✗ Skaidra kļūda
no-better = ✓ Labākas atbildes neredz.
perhaps-better = ≈ { $better } izskatās labāk, bet tā var būt nejaušība.
# $open is "yes" where $revealed is told too: what it cost with open hands.
it-cost = Tas maksāja { $loss } punktus, { $among }{ $open ->
    [yes] ; ar atklātām kārtīm tas maksāja { $revealed }.
   *[no] .
}
among-known = jo vieta varēja zināt, kur ir katra kārts
among-all = { $count ->
    [zero] pēc visām { $count } partijām, ko vieta nevarēja atšķirt
    [one] pēc visas { $count } partijas, ko vieta nevarēja atšķirt
   *[other] pēc visām { $count } partijām, ko vieta nevarēja atšķirt
}
among-some = { $count ->
    [zero] pēc { $count } partijām, ko vieta nevarēja atšķirt
    [one] pēc { $count } partijas, ko vieta nevarēja atšķirt
   *[other] pēc { $count } partijām, ko vieta nevarēja atšķirt
}
column-answer = atbilde
column-known = zināms
column-open = atklāts
given-or-best = dotā vai labākā
given = ● dotā
best = ★ labākā

## Why a hint is good

why-only = Noteikumi neko citu neatļauj.
why-unbeatable = Neviena atlikusī kārts to nepārsit.
why-draws-trumps = Tā izvelk pretinieku trumpjus.
why-only-trumps = To sit tikai trumpis.
why-before-trumped = Ņemiet tās acis tagad, kamēr citiem varbūt jāliek šī masts: trumpji pagaidīs.
why-takes-now = Pagaidām stiķi ņem tā.
why-does-not-take = Tā neņem stiķi.
why-takes = Tā ņem stiķi: { points }{ $more ->
    [yes] {" "}vai vairāk
   *[no] { "" }
}.
why-side-takes = Stiķis katrā ziņā paliek jūsu pusei: { points } vai vairāk.
why-partner-takes = Stiķi ņem jūsu partneris: dodiet viņam { points }.
why-partner-so-far = Pagaidām stiķis ir jūsu partnerim: dodiet viņam { points }.
why-partner-may-trump = Jūsu partnerim šīs masts nav, un viņš var sist ar trumpi: dodiet viņam { points }.
why-partner-last = Jūsu partneris liek pēdējais un var ņemt stiķi: dodiet viņam { points }.
why-keeps-trumps = Tā ļauj pietaupīt { $count ->
    [zero] trumpjus
    [one] trumpi
   *[other] trumpjus
}.
why-keeps-higher = Tā pataupa { CARD($card, case: "accusative") } vēlākam.
why-keeps-at-a-price = Tā maksā par { points } vairāk, bet pataupa { CARD($card, case: "accusative") } vēlākam.
why-keeps-lower = Tā pataupa vēlākam vājāku kārti: { CARD($card, case: "accusative") }.
why-keeps-winner = Tā pataupa { CARD($card, case: "accusative") } vēlākam: to sit tikai trumpis.
why-harder = To grūtāk pārsist nekā { CARD($card, case: "accusative") }.
why-sets-up = Kad { CARD($card) } būs prom, jums būs šīs masts augstākā kārts.
why-risks-less = Tā maksā mazāk acu nekā { CARD($card) }, ja stiķi zaudē.
why-no-points = Tajā nav acu, ko zaudēt.
why-weakest = Tā ir vājākā kārts, ko drīkstat likt.
why-in-any-case = Tā ņems stiķi, lai kad to liktu: neviena atlikusī kārts to nepārsit. Mazās kārtis noderēs vēlāk.
why-strongest = Tā tiekat vaļā no stiprākās kārts, ko drīkstat likt.
why-fewest-points = Tā atdod vismazāk acu.
why-void = { $suit ->
    [clubs] Bez kreičiem šo krāsu varat sist ar trumpi.
    [spades] Bez pīķiem šo krāsu varat sist ar trumpi.
   *[hearts] Bez erceniem šo krāsu varat sist ar trumpi.
}
why-void-later = { $suit ->
    [clubs] Bez kreičiem varat mest lielās kārtis, kad citi tos izspēlē.
    [spades] Bez pīķiem varat mest lielās kārtis, kad citi tos izspēlē.
   *[hearts] Bez erceniem varat mest lielās kārtis, kad citi tos izspēlē.
}
why-others-higher = { $count ->
    [zero] Vēl { $count } šīs masts kārtis ir augstākas: stiķi, iespējams, ņems cits.
    [one] Vēl { $count } šīs masts kārts ir augstāka: stiķi, iespējams, ņems cits.
   *[other] Vēl { $count } šīs masts kārtis ir augstākas: stiķi, iespējams, ņems cits.
}
why-shorter = Jo mazāk šīs masts kāršu jums paliek, jo drīzāk varēsiet mest lielās kārtis.
why-safe = Jums paliek { points }.
why-same-word = { answer-word }: apmēram tikpat labi.
why-same-discards = Vidēji apmēram tikpat labi var norakt: { $cards }{ $more ->
    [yes] {" "}un citas
   *[no] { "" }
}.
why-no-matter = { $end ->
    [pays] Starpības nav: ar katru kārti jūs maksājat apmēram { $count } no 100 sadalījumiem, kas atbilst tam, ko redzējāt.
    [lost] Starpības nav: ar katru kārti jūs zaudējat apmēram tikpat daudz.
    [won] Starpības nav: ar katru kārti jūs vinnējat apmēram tikpat daudz.
   *[even] Starpības nav: ar katru kārti jūs uzvarat apmēram { $count } no 100 sadalījumiem, kas atbilst tam, ko redzējāt.
}
why-same-but = Vidēji tikpat laba: jebkura kārts, ko drīkst likt, izņemot { $cards }.
why-same-cards = Vidēji tikpat labi var likt: { $cards }.
why-better = Vidēji jums par { $ahead } punktiem labāk nekā nākamā labākā atbilde.
why-wins = { $end ->
    [more] No 100 sadalījumiem, kas atbilst tam, ko redzējāt, ar to jūs uzvarat { $won }, bet ar otru ({ CARD($card) }) { $less }.
    [pays] No 100 sadalījumiem, kas atbilst tam, ko redzējāt, ar to jūs maksājat { $won }, bet ar otru ({ CARD($card) }) { $less }.
    [lost] Ar otru kārti ({ CARD($card) }) jūs arī zaudējat, turklāt vidēji par { $ahead } punktiem vairāk.
    [won] Ar otru kārti ({ CARD($card) }) jūs arī uzvarat, bet vidēji par { $ahead } punktiem mazāk.
    [even] Ar otru kārti ({ CARD($card) }) jūs uzvarat tikpat bieži, bet vidēji iegūstat par { $ahead } punktiem mazāk.
   *[less] Vidēji jums par { $ahead } punktiem labāk nekā ar otru kārti ({ CARD($card) }).
}
why-rule-fails = Šeit īkšķa likums „augstākais trumpis pirmais” neder.
why-worth = Jūsu punkti vidēji:
why-also = { answer-word } { $next }.
why-too-close = Mazāk nekā puspunkta starpība ir pārāk maza.
why-hand = Šajās kārtīs: trumpji { $trumps }, dāmas { $queens }, lieko krāsu dūži { $aces }.
more-answers = … vēl { $count } …
# Above the values of all answers as bars.
values-of-answers = { $kind ->
    [cost] Starpība no labākās, punktos:
    [open] Starpība no labākās, ja redz visas kārtis:
   *[worth] Jūsu punkti vidēji:
}

## Beside the page

# What stands on a key.
key-cap = { $key ->
    [space] Atstarpe
    [enter] Enter
    [page-up] PgUp
    [page-down] PgDn
    [home] Home
    [end] End
   *[escape] Esc
}
# Where a browser runs no scripts.
replay-needs-script = Šai lapai vajadzīgs JavaScript: ļaujiet failam palaist savu skriptu, kas tīklu neizmanto.
table-needs-script = Šai lapai vajadzīgs JavaScript: ļaujiet tai palaist savu skriptu, kas sazinās tikai ar datoru, no kura tā nākusi.
