### How Zole is played, for somebody who does not know it: the page /zole of a site.
###
### Not yet read over by a native player. Terms: those of table.ftl; liekās (plain suits), izgājiens (lead): pso.lv, zolei.lv.

how-title = Kā spēlē zoli
how-lead = Zole ir latviešu kāršu spēle: pie galda trīs, viens pret diviem. Partija ilgst divas minūtes, noteikumus var iemācīties piecās.
how-as-here = Tā spēlē šīs vietnes līgā; citur šis tas mēdz būt citādi.
learn-in-minutes = Iemācīties piecās minūtēs

how-deal = Dalīšana
how-deal-told = Kāršu ir 26: kreičos, pīķos un ercenos no devītnieka līdz dūzim, kāravos visas astoņas. Katram no trim izdala astoņas kārtis. Divas atlikušās paliek aizklātas: tas ir <b>galds</b>.
how-deal-shown = Pirmā roka sēž dalītājam pa kreisi, sola pirmā un iziet uz pirmo stiķi.
# $players is 4 or 5.
how-sits-out = { $players ->
    [4] Šajā līgā pie galda sēž četri: dalītājs savu partiju nespēlē.
   *[5] Šajā līgā pie galda sēž pieci: katrā partijā nespēlē dalītājs un vēl viens.
}
how-trumps = Četrpadsmit trumpji
how-trumps-told = Trumpji ir visas dāmas, visi kalpi un visi kāravi. Tā ir viena krāsa, un katrs trumpis sit jebkuru citu kārti.
how-trumps-shown = No stiprākā līdz vājākajam: kreiča dāmu nesit nekas.
how-suits = Trīs liekās krāsas
how-suits-told = Kreičos, pīķos un ercenos secība ir dūzis, desmitnieks, kungs, devītnieks. Desmitnieks ir stiprāks par kungu.
how-suits-shown = Katrā liekajā krāsā četras kārtis.
how-points = 120 acis
how-points-told = Ja kāds spēlē viens, skaita nevis stiķus, bet acis paņemtajos stiķos.
how-points-shown = Dūzis ir 11 acis, desmitnieks 10, kungs 4, dāma 3, kalps 2; devītnieks, astotnieks un septītnieks neko.
how-auction = Kurš spēlē viens
# $ranked is "yes" where the highest bid plays.
how-auction-told = Sākot ar pirmo roku, katrs vienreiz saka, vai spēlē vai ir garām. { $ranked ->
    [yes] Spēlē tas, kurš solījis visvairāk
   *[no] Spēlē pirmais, kurš nav garām
}: viņš ir <b>lielais</b>, viens pret abiem pārējiem, <b>mazajiem</b>, kuri spēlē kopā.
how-auction-shown = Ar šādu roku var spēlēt: pieci trumpji, no tiem divas dāmas, un dūzis.
how-talon = Galds
how-talon-told = Parastā spēlē lielais paņem galdu un pēc tam norok divas no desmit kārtīm. To acis skaitās lielajam.
how-talon-shown = Norok abas paceltās: desmitnieka acis ir drošībā, un kreičus turpmāk var sist ar trumpi.
how-solo = Zole
how-solo-told = Zolē lielais spēlē bez galda: galda acis skaitās mazajiem. Tā maksā vairāk.
how-solo-shown = Roka zolei: stiprākie trumpji un dūzis.
how-small-solo-told = Mazajā zolē lielais uzvar, ja nepaņem nevienu stiķi.
how-blind-told = Aklo zoli piesaka, neskatoties kārtīs, un tā maksā visvairāk.
how-follow = Krāsas likšana
how-follow-told = Iziet drīkst ar jebkuru kārti. Pārējie liek to pašu krāsu vai, ja iziets ar trumpi, trumpi. Kam tādas nav, drīkst likt jebko, arī trumpi.
how-follow-shown = Iziets ar pīķa kungu: drīkst likt tikai abas gaišās kārtis. Pīķa dāma ir trumpis, nevis pīķis.
how-trick = Kurš ņem stiķi
how-trick-told = Stiķi ņem stiprākais trumpis; ja trumpja nav, stiprākā kārts tajā krāsā, ar kuru iziets. Kurš paņēmis, tas iziet uz nākamo.
how-trick-shown = Iziets ar ercena dūzi, uzlikts desmitnieks. Mazs trumpis paņem abus: 21 acs.
how-together = Divi pret vienu
how-together-told = Abu mazo stiķus skaita kopā. Ja stiķi ņem partneris, tajā liek daudz acu; ja lielais, tad maz.
how-together-shown = Lielais izgāja ar devītnieku, jūsu partneris paņēma ar dūzi. Jūs pieliekat desmitnieku: jums abiem 21 acs.
how-win = Ko vinnē
how-win-told = Lielais uzvar ar 61 aci vai vairāk; ja ir 60 pret 60, uzvar mazie. Jo skaidrāka uzvara, jo vairāk tā maksā.
how-all-pass = Ja visi ir garām
# $all-pass and $settlement are the league’s rules, $stake is a number of stakes.
how-all-pass-told = { $all-pass ->
    [table] Spēlē galdiņu: katrs par sevi. { $settlement ->
        [fewest_tricks_collects] Kam vismazāk stiķu, tas saņem no katra pārējā { $stake }.
        [most_points_pays] Kam visvairāk acu, tas maksā katram pārējam { $stake }.
       *[most_tricks_pays] Kam visvairāk stiķu, tas maksā katram pārējam { $stake }.
    } { table-tie }
    [pool] Pārdala un atver kopējo puli, ko saņem nākamais lielais, kurš uzvar.
   *[redeal] Kārtis pārdala.
}
how-pools-told = Ir pules: lielais, kurš zaudē, puli atver, un lielais, kurš uzvar, puli saņem.
how-stakes-note = Punkti lielajam no katra pārējā pēc lielā acīm.
how-now = Un tagad
how-now-told = Galds rāda, kuras kārtis drīkst likt, dod padomu, ja to lūdz, un pēc partijas pasaka, kas būtu bijis labāk.
how-watch = Noskatīties partiju
how-play = Spēlēt pašam
how-every-rule = Visi šīs līgas noteikumi
