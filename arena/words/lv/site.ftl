### What the pages say that a site alone has: for guests and authors, and where something went wrong.
###
### Not yet read over by a native player. Terms: those of table.ftl and league.ftl; marķieris (token),
### sūtījums (upload), rinda (queue), izaicinājums (challenge) are ours.

## How to begin

how-to-begin = Kā sākt
from-nothing = No nulles līdz galdam
what-a-bot-is = Bots ir programma, kas lasa JSON rindas un raksta JSON rindas. To var rakstīt jebkurā valodā. Komandas šajā lapā ir arēnas komandas; kur to dabūt, pateiks tas, kas jūs ielūdz. Botu var iesūtīt arī bez tās, kā arhīvu.
bot-that-plays = Bots, kas spēlē
complete-bot = Šis bots ir pilnīgs. Tas vienmēr saka „garām” un izspēlē pirmo kārti, ko drīkst:
manifest-beside = Tas stāv mapē, un blakus tam ir šāds <code>bot.toml</code>:
arena-helps = Vairāk nevajag. Palīdz pati arēna, ko no tās mapes instalē ar <code>pip install .</code>: <code>arena new</code> izveido šādu mapi jūsu izvēlētajā valodā, un <code>arena new --list</code> nosauc, kuras valodas ir.
play-at-home = Lai tas paspēlē mājās
check-asks-all = Pārbaude botam jautā visu, ko var jautāt spēlē, un parāda rindas, kurās tas kļūdās. Pēc tam spēle pašam pret sevi vai pret arēnas botiem:
guide-and-rules = Viss, ko jautā un atbild, ir <a href="/start/guide">ceļvedī</a>, ko parāda arī <code>arena protocol</code>; te ir <a href="/rules">šīs līgas noteikumi</a>.
the-guide = Ceļvedis
bring-it-in = Iesūtiet to
authors-are-invited = Autorus ielūdz: ielūguma saite vienu reizi parāda marķieri. Ar to, tur, kur stāv bota mape:
or-drop-archive = Vai arī nometiet mapes arhīvu (.zip vai .tar.gz) <a href="/me">savā lapā</a>. Tur redzama tā vieta rindā, katrs pārbaudes solis un beigās bota vārds vai tieši tas solis, kas neizdevās. Jaunpienācējs spēlē biežāk nekā citi, līdz ir zināms tā stiprums.
see-what-it-did = Paskatieties, ko tas darīja
what-it-did-is-yours = Tas, ko jūsu bots redzēja, rakstīja kļūdu izvadē un darīja nepareizi, uzreiz ir jūsu, tādā veidā, ka <code>arena replay</code> to parāda, bet <code>arena rerun</code> to jūsu botam jautā vēlreiz:
better-version = Labāka versija nāk tāpat, ar to pašu vārdu, un spēlē kā <code>mybot.2</code>. Tā sāk bez rezultātiem, un vecā aiziet no līgas.

## Coming in

invitation = Ielūgums
an-invitation = Ielūgums
come-in-again = Ienākt vēlreiz
welcome = Laipni lūdzam, { $name }
token-is-yours = Šis ir jūsu marķieris. To rāda tikai šoreiz un nekur neglabā: kam tas ir, tas var sūtīt botus jūsu vārdā. Ja tas pazūd, izveidojiet citu savā lapā.
copy-token = Kopēt marķieri
command-asks-for-token = Komandrinda to prasa vienu reizi:
go-to-own-page = Uz savu lapu
account-again = Ar šo saiti { $name } atkal tiek savā kontā. Agrākais marķieris un sesijas beidzas.
invited-as = Jūs ielūdz sūtīt botus vietnei { $site } ar vārdu <b>{ $name }</b>. Ar šo vārdu jūs būsiet visu savu botu autors.
invited-first = Jūs ielūdz sūtīt botus vietnei { $site }. { $places ->
    [zero] Ir vēl { $places } vietu.
    [one] Ir vēl { $places } vieta.
   *[other] Ir vēl { $places } vietas.
}
choosing-shows-token = Ar savu vārdu jūs būsiet visu savu botu autors. Tālāk būs redzams marķieris: esiet gatavi to saglabāt.
your-name = Jūsu vārds
# What follows it are the arena’s own words, in English.
choose-another-name = Šo vārdu nevar izvēlēties.
your-team = Jūsu komanda, ja tāda ir
link-shows-token = Saiti var izmantot vienu reizi. Tālāk būs redzams marķieris: esiet gatavi to saglabāt.
come-in = Ienākt
take-invitation = Pieņemt ielūgumu
sign-in = Pierakstīties
sign-in-here = Pierakstīties šajā pārlūkprogrammā kā { $name }
link-signs-in = Saiti var izmantot vienu reizi. Pēc tam šī pārlūkprogramma jūs pazīst trīsdesmit dienas.
your-own-page = Jūsu lapa
browser-not-known = Šajā lapā autori rūpējas par saviem botiem un izaicina citus. To atver ielūguma saite; tāpat saite, ko jums izveido komandrinda un kas der desmit minūtes:
no-invitation-yet = Bota vēl nav? <a href="/start">Kā sākt</a> stāsta, kas jūs sagaida; ielūdz līgas rīkotājs.

## An author’s own page

sign-out = Izrakstīties no šīs pārlūkprogrammas
new-token = Jūsu jaunais marķieris
shown-this-once = To rāda tikai šoreiz.
send-bot = Iesūtīt botu
choose-archive = Izvēlēties arhīvu
# $choose is a button that says choose-archive.
choose-or-drop = { $choose } vai nomest to šeit: bota mapi kā .zip vai .tar.gz, līdz { $most }.
sent = nosūtīts
from-command-line = No komandrindas: <code>{ $command }</code>
archive-too-large = { $file } ir lielāks par { $most }.
sending = Sūta { $file }
folder-not-sent = Mapi nosūtīt nevar: sapakojiet to kā .zip vai .tar.gz.
sending-broke = Savienojums pārtrūka. Sūtiet vēlreiz: viens un tas pats arhīvs skaitās vienu reizi.
site-answered = Vietne atbildēja { $status }.
last-upload = Pēdējais sūtījums
earlier-uploads = { $count ->
    [zero] { $count } agrāki
    [one] { $count } agrāks
   *[other] { $count } agrāki
}
# $why is the arena’s own sentence.
upload-in-short = { $state ->
    [done] pieņemts, spēlē kā { $bot }
    [failed] <span class="down">nav pieņemts</span>: { $why }
    [waiting] gaida rindā
   *[taken] tiek pārbaudīts
}
what-is-left = Kas vēl atlicis
bots = Boti
column-state = stāvoklis
column-since = kopš
withdraw-or-resume = atsaukt vai atsākt
bot-state = { $state ->
    [playing] spēlē
    [benched] uz soliņa
    [next_season] gaida nākamo sezonu
    [replaced] aizstāts
   *[withdrawn] atsaukts
}
resume = Atsākt
resume-bot = Atsākt: { $bot }
withdraw = Atsaukt
withdraw-bot = Atsaukt: { $bot }
no-bot-of-yours = Vēl neviena. Lapā <a href="/start">Kā sākt</a> ir pirmais desmit rindās.
challenge = Izaicinājums
challenge-told = Trīs boti pie viena galda, viens no tiem jūsu, spēlē partijas, ko dala tikai viņiem. Tas nekad neskaitās.
play-challenge = Izspēlēt
challenge-state = { $state ->
   *[waiting] { $names }: gaida
    [failed] { $names }: neizdevās
    [done] { $names }: izspēlēts
}
challenge-result = { $count ->
    [zero] { $made } pēc { $count } izspēlēm
    [one] { $made } pēc { $count } izspēles
   *[other] { $made } pēc { $count } izspēlēm
}
token = Marķieris
token-replaces = Jauns marķieris aizstāj agrāko un beidz sesijas citās pārlūkprogrammās.
make-token = Izveidot marķieri

## An upload and its check

upload = Sūtījums
# $place is that in the queue.
upload-stands = { $state ->
    [done] { $bot } spēlē
    [failed] Nav pieņemts
    [waiting] { $place ->
        [1] Nākamais rindā
       *[other] { $place }. vieta rindā
    }
   *[taken] Tiek pārbaudīts
}
# $length is told where $done is "yes".
upload-sent = Nosūtīts { $when }{ $done ->
    [yes] , pabeigts pēc { $length }
   *[no] { "" }
}.
archive-hash = Arhīva SHA-256: { $hash }
upload-entered = Tas ir līgā kā { $bot } un drīz sēdīsies pie galda.
upload-is-late = Tas ienāca pēc termiņa un nākamajā sezonā spēlēs kā { $bot }.
upload-again = Izlabojiet un sūtiet vēlreiz; <code>arena check</code> mājās iziet tos pašus soļus.
upload-waits = To ņems, tiklīdz būs galā ar tiem, kas ir pirms tā. Šī lapa atjaunojas pati, un pa to laiku to var aizvērt.
its-check = { $count ->
    [zero] Tā pārbaude, { $count } soļi
    [one] Tā pārbaude, { $count } solis
   *[other] Tā pārbaude, { $count } soļi
}
step-mark = { $mark ->
    [passed] izdevās
    [failed] neizdevās
   *[remark] piezīme
}
step-last-lines = Pēdējās rindas: { $step }
wrote-to-stderr = Ko tas rakstīja kļūdu izvadē
next-step = notiek nākamais solis
quota = { $quota ->
    [bots] boti līgā
    [uploads] sūtījumi
    [build_minutes] būvēšanas minūtes
   *[challenges] izaicinājumi
}
quota-left = { $left } <small>no { $most }</small>
quota-left-of-day = { $left } <small>no { $most } 24 stundās</small>
again-in = atkal pēc { $length }

## A table for guests

own-table = { $count ->
    [zero] Jūsu galds pret botiem: { $count } partijas. Spēli neieskaita.
    [one] Jūsu galds pret botiem: { $count } partija. Spēli neieskaita.
   *[other] Jūsu galds pret botiem: { $count } partijas. Spēli neieskaita.
} Neviens neuzzina, kas jūs esat.
bot-to-choose = { $place ->
    [left] Jums pa kreisi
    [right] Jums pa labi
    [first] Pirmais bots
    [second] Otrais bots
    [third] Trešais bots
   *[fourth] Ceturtais bots
}
any-house-bot = jebkurš kluba spēlētājs
bot-of-level = { $bot }, { $level ->
    [beginner] iesācējs
    [club] kluba spēlētājs
    [strong] stiprs spēlētājs
   *[master] meistars
}
bot-by-author = { $bot }, autors: { $author }
play-needs-script = Galdam vajadzīgs JavaScript: atļaujiet to šajā pārlūkā, lai spēlētu.
sit-down = Apsēsties
with-friends = Spēlēt ar draugiem
with-friends-told = Katrs draugs saņem saiti uz vietu, sākot ar vietu pa kreisi no jums. Pārējās vietas ieņem boti.
friend-to-name = { $who ->
    [name] Jūsu vārds
    [friend1] Drauga vārds
   *[friend2] Otra drauga vārds
}
day-played = Dienas partiju jūs jau izspēlējāt. Rīt būs nākamā.
day-told = Visiem tās pašas kārtis, reizi dienā; beigās redzēsiet, cik daudziem klājās sliktāk.
# $count are the minutes that an answer may take.
take-your-time = { $count ->
    [zero] Nesteidzieties: boti gaida. Ar draugiem atbilde drīkst ilgt { $count } minūtes, pēc tam partija ir zaudēta.
    [one] Nesteidzieties: boti gaida. Ar draugiem atbilde drīkst ilgt { $count } minūti, pēc tam partija ir zaudēta.
   *[other] Nesteidzieties: boti gaida. Ar draugiem atbilde drīkst ilgt { $count } minūtes, pēc tam partija ir zaudēta.
} Ja aizverat lapu, galds jūs gaida tikpat ilgi, pēc tam spēle beidzas.
own-table-is-there = { $over ->
    [0] Jums ir iesākta spēle.
    [zero] Jums ir iesākta spēle: beigušās { $over } partijas.
    [one] Jums ir iesākta spēle: beigusies { $over } partija.
   *[other] Jums ir iesākta spēle: beigušās { $over } partijas.
}
to-own-table = Atpakaļ pie sava galda
tables-are-taken = { $full ->
    [yes] Visi galdi ir aizņemti.
   *[no] Jūsu tīklā citi jau spēlē pie tik galdiem, cik vienam tīklam atvēlēts.
} Pēc brīža <a href="/play">ieskatieties vēlreiz</a> vai pa to laiku <a href="/tv">paskatieties</a>, kā spēlē citi.
own-matches = Jūsu spēles pēdējās 30 dienās
new-to-zole = Zoli vēl nezināt?
zole-in-a-sentence = Viens spēlē pret diviem, un vajag 61 aci no 120. Dāmas, kalpi un kāravi ir trumpji. <a href="/zole">Pārējais vienā minūtē.</a>
table-helps = Pie galda redzams, kuras kārtis drīkst izspēlēt{ $advises ->
    [yes] ; padomu saņemat, kad to lūdzat, un pēc katras partijas uzzināt, kas būtu bijis labāk
   *[no] { "" }
}.
bots-that-agree = Te spēlē līgas boti, kuru autori tam piekrīt. Beigās žurnāls paliek jums.

## Deals to watch

deals-shown = Spraigas partijas, kārti pēc kārts un cita pēc citas, ar visām rokām atklātām. Jaunas parādās pašas.
play-deal = Atskaņot
pause-deal = Apturēt
full-screen = Pilnekrāns
leave-full-screen = Iziet no pilnekrāna
getting-deal = Ielādē partiju …
game-of = { $who ->
    [nobody] { game }
   *[other] { game }, lielais: { $name }
}
match-and-deal = { $match }. spēle, { $deal }. partija
nothing-shown = Visiem vēl nav nekā ko rādīt. { $publish ->
    [season] Spēles rāda, kad sezona ir galā.
   *[at_once] Notiek pirmās spēles.
}
play-meanwhile = Pa to laiku spēlēt

## Waiting, and where something went wrong

a-moment = Mirklīti
site-being-set-up = Vietne top.
page-asks-again = Lapa pati jautās vēlreiz.
# English pages have the arena’s own words in place of these two. $status is that of HTTP.
went-wrong = { $status ->
    [401] Vietne nezina, kas jautā
    [403] Tas nav atļauts
    [404] Te nekā nav
    [405] Šī adrese tam nav domāta
    [408] Tas bija pārāk lēni
    [409] Tagad to nevar
    [413] Tas ir pārāk liels
    [429] Tas bija pārāk bieži
    [500] Šeit kļūdījās pati vietne
    [503] Vietne to tagad nevar
    [507] Vietnei nav vietas
   *[other] Tā nevar
}
what-helps = { $status ->
    [401] Pierakstieties ar ielūguma saiti vai ar to, ko izveido <code>arena login</code>.
    [403] Ja tam tā nevajadzētu būt, jautājiet rīkotājam.
    [404] Varbūt tas vēl ir paslēpts vai jau prom: tālāk ved saites šeit apakšā.
    [405] Tālāk ved saites šeit apakšā.
    [408] Sūtiet vēlreiz.
    [409] Ielādējiet lapu vēlreiz: pa to laiku kas mainījies.
    [413] Izlaidiet, kas nav vajadzīgs.
    [429] Jautājiet retāk.
    [500] Rīkotājs to redz žurnālā.
    [503] Tiek apkalpoti citi, vai arī vietne ir apturēta.
    [507] Rīkotājam jāatbrīvo vieta.
   *[other] Ejiet atpakaļ un mainiet nosūtīto.
}
try-again-in = Mēģiniet vēlreiz pēc { $length }.

## Ko saka rīkotājs

the-calendar = Kalendārs
the-season = Sezona
uploads-until = Botus pieņem līdz
final-from = Fināls sākas
replays-shown-from = Tagadējās spēles varēs skatīties
at-once = uzreiz
end-of-season = kad sezona beigusies
announcements = Paziņojumi
no-announcement-yet = Vēl nekas nav paziņots.

leagues-beside = Līgas un iepriekšējās sezonas
league-is-played = Notiek.
# $bots ir labākie, pirmais vispirms.
league-is-won = { $count ->
    [zero] { $count } botu
    [one] { $count } bots
   *[other] { $count } boti
}; labākie: { $bots }
