### What people read at a table, in a replay and in a terminal.
###
### $who says who does something: "you", "talon", or "other" with a $name. { CARD($card) } is a card,
### in the case that is asked for: { CARD($card, case: "accusative") } is made by the message card.

## Cards

suit = { $suit ->
    [clubs] sinek
    [spades] maça
    [hearts] kupa
   *[diamonds] karo
}
rank = { $rank ->
    [ace] { $case ->
        [accusative] asını
        [instrumental] asıyla
       *[nominative] ası
    }
    [king] { $case ->
        [accusative] papazını
        [instrumental] papazıyla
       *[nominative] papazı
    }
    [queen] { $case ->
        [accusative] kızını
        [instrumental] kızıyla
       *[nominative] kızı
    }
    [jack] { $case ->
        [accusative] valesini
        [instrumental] valesiyle
       *[nominative] valesi
    }
    [ten] { $case ->
        [accusative] onlusunu
        [instrumental] onlusuyla
       *[nominative] onlusu
    }
    [nine] { $case ->
        [accusative] dokuzlusunu
        [instrumental] dokuzlusuyla
       *[nominative] dokuzlusu
    }
    [eight] { $case ->
        [accusative] sekizlisini
        [instrumental] sekizlisiyle
       *[nominative] sekizlisi
    }
   *[seven] { $case ->
        [accusative] yedilisini
        [instrumental] yedilisiyle
       *[nominative] yedilisi
    }
}
card = { suit } { rank }
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
card-face-down = kapalı kâğıt

## Who, and where

place = { $place ->
    [you] Siz
    [left] Soldaki
    [right] Sağdaki
    [across] Karşıdaki
    [far-left] Sol karşıdaki
   *[far-right] Sağ karşıdaki
}
# Two bots have the same name.
name-and-place = { $name } ({ $place ->
    [left] solda
    [right] sağda
    [across] karşıda
    [far-left] sol karşıda
   *[far-right] sağ karşıda
})
# The name of a player within a sentence.
name = { $who ->
    [you] siz
    [talon] talon
   *[other] { $name }
}

## Games

game = { $game ->
    [ordinary] normal oyun
    [solo] zole
    [small_solo] küçük zole
    [blind] kör zole
    [table] masa eli
   *[thrown_in] el iptal
}
a-game = { $game ->
    [ordinary] normal oyun
    [solo] zole
    [small_solo] küçük zole
    [blind] kör zole
    [table] masa eli
   *[thrown_in] iptal edilen bir el
}
no-game = oyun yok
# What somebody said in the auction, as it stands beside the name.
word = { $word ->
    [pass] pas
    [ordinary] oyna
    [solo] zole
    [small_solo] küçük zole
    [blind] kör zole
    [take] talonu alıyor
   *[give] talonu bırakıyor
}

# An answer in a list of moves.
answer-word = { $word ->
    [pass] Pas
    [ordinary] Oyna
    [solo] Zole
    [small_solo] Küçük zole
    [blind] Kör zole
    [take] Talonu al
    [give] Talonu bırak
    [yes] evet
    [no] hayır
   *[offer] Pes etmeyi teklif et
}

## What happens

points = { $count ->
    [one] { $count } puan
   *[other] { $count } puan
}
tricks = { $count ->
    [one] { $count } löve
   *[other] { $count } löve
}
cards = { $count ->
    [one] { $count } kâğıt
   *[other] { $count } kâğıt
}
stakes = { $count ->
    [one] { $amount } fiş
   *[other] { $amount } fiş
}
deal-number = { $deal }. el
the-days-deal = Günün eli
played-again = Yeniden oynanan el
dealing = { $who ->
    [you] Kâğıtları siz dağıtıyorsunuz.
   *[other] Kâğıtları { $name } dağıtıyor.
}
you-sit-out = Bu el oynamıyorsunuz.
forehand-is = { $who ->
    [you] Siz başlıyorsunuz.
   *[other] { $name } başlıyor.
}
deal-begins = { $deal }. el.
blind-declared = { $who ->
    [you] Kör zole dediniz.
   *[other] { $name } kör zole dedi.
}
blind-not-declared = { $who ->
    [you] Kâğıtlarınıza baktınız.
   *[other] { $name } kâğıtlarına baktı.
}
passes = { $who ->
    [you] Pas dediniz.
   *[other] { $name } pas dedi.
}
bids = { $who ->
    [you] { $bid ->
        [ordinary] “Oyna” dediniz.
        [solo] Zole dediniz.
        [small_solo] Küçük zole dediniz.
       *[blind] Kör zole dediniz.
    }
   *[other] { $bid ->
        [ordinary] { $name } “Oyna” dedi.
        [solo] { $name } zole dedi.
        [small_solo] { $name } küçük zole dedi.
       *[blind] { $name } kör zole dedi.
    }
}
talon-taken = { $who ->
    [you] Talonu aldınız.
   *[other] { $name } talonu aldı.
}
talon-given = { $who ->
    [you] Talonu rakiplerinize bıraktınız.
   *[other] { $name } talonu rakiplerine bıraktı.
}
plays-against = { $who ->
    [you] İhaleci sizsiniz: { a-game } oynuyorsunuz.
   *[other] İhaleci { $name }: { a-game } oynuyor.
}
all-pass-table = Herkes pas dedi: masa eli. Olabildiğince az löve alın.
all-pass-thrown-in = Herkes pas dedi: el iptal.
plays-card = { $who ->
    [you] Siz { CARD($card, case: "accusative") } oynadınız.
    [talon] Talon { CARD($card, case: "accusative") } oynadı.
   *[other] { $name } { CARD($card, case: "accusative") } oynadı.
}
lays-aside = { $who ->
    [you] Siz { CARD($card, case: "accusative") } ve { CARD($second, case: "accusative") } gömdünüz.
   *[other] { $name } { CARD($card, case: "accusative") } ve { CARD($second, case: "accusative") } gömdü.
}
# $count are the points of the trick, $trick is its number.
trick-taken = { $who ->
    [you] { $trick }. löveyi siz aldınız, { points }.
    [talon] { $trick }. löveyi talon aldı, { points }.
   *[other] { $trick }. löveyi { $name } aldı, { points }.
}
gives-up = { $who ->
    [you] Pes ettiniz.
   *[other] { $name } pes etti.
}
offers = { $who ->
    [you] Pes etmeyi teklif ettiniz.
   *[other] { $name } pes etmeyi teklif etti.
}
offer-accepted = İhaleci kabul etti.
offer-refused = İhaleci oyuna devam ediyor.
# $fault and $detail are the arena's own words.
fault-of = { $who ->
    [you] İhlal yaptınız: { $fault }, { $detail }.
   *[other] { $name } ihlal yaptı: { $fault }, { $detail }.
}
plays-on = { $who ->
    [you] Oyuna devam ediyorsunuz.
   *[other] { $name } oyuna devam ediyor.
}

## At the table

table = Masa
declarer = ihaleci
dealer = dağıtan
forehand = başlayan
sits-out = dışarıda
bot-stands-in = bot oynuyor
bot-stood-in = Sizin yerinize bir bot oynadı.
defender = savunmacı
talon = talon
talon-of-defenders = talon, savunmaya
hands-as-dealt = dağıtıldığı gibi eller
laid-aside = gömülenler
the-trick = Löve
led = çıkış
you-lead-here = çıkış sizde
your-card-here = sıra sizde
the-auction = İhale
table-game = Masa eli
table-goal = { $settlement ->
    [most_points_pays] Masa eli: en çok puan alan kaybeder
    [fewest_tricks_collects] Masa eli: en az löve alan kazanır
   *[other] Masa eli: en çok löve, sonra puan alan kaybeder
}
thrown-in = El iptal
declares-game = ihaleci: { game }
game-declared = { $who ->
    [you] { $game ->
        [ordinary] Normal oyun, ihaleci sizsiniz
        [solo] Zole, ihaleci sizsiniz
        [small_solo] Küçük zole, ihaleci sizsiniz
       *[blind] Kör zole, ihaleci sizsiniz
    }
   *[other] { $game ->
        [ordinary] Normal oyun, ihaleci { $name }
        [solo] Zole, ihaleci { $name }
        [small_solo] Küçük zole, ihaleci { $name }
       *[blind] Kör zole, ihaleci { $name }
    }
}
# Points of one side, and how many it needs; $more is "yes" where cards are not seen that count for it.
declarer-has = { $who ->
    [you] Siz
   *[other] { $name }
} { $count }{ $more ->
    [yes] +
   *[no] { "" }
} { $reached ->
    [yes] ✓
   *[no] / 61
}
needs-points = { $count ->
    [0] { $name } 61 puana ulaştı.
    [one] { $name } için { $count } puan daha gerekiyor.
   *[other] { $name } için { $count } puan daha gerekiyor.
}
side-has = { $side ->
    [others] savunma
    [yours] sizin taraf
   *[defenders] savunma
} { $count }{ $more ->
    [yes] +
   *[no] { "" }
} { $reached ->
    [yes] ✓
   *[no] / 60
}
on-the-table = yerde { $count } puan
may-take-none = { $who ->
    [you] Hiç löve almamalısınız
   *[other] { $name } hiç löve almamalı
}
talon-has = talonda { points }
pools = potlar: { $pools }
pools-collective = { $count } ortak pot

## Questions

your-turn-to-bid = İhalede söz sizde.
ask-blind = Kâğıtlarınızı görmeden kör zole diyor musunuz?
ask-talon = Talonu alıp iki kâğıt mı gömeceksiniz, yoksa talonu savunmaya bırakıp zole mi oynayacaksınız?
ask-discard = Talon sizde. Gömeceğiniz iki kâğıdı seçin.
ask-offer = { $name } pes etmeyi teklif ediyor: 61-90 puan almış gibi kazanırsınız. Kabul ediyor musunuz?
ask-lead = Sıra sizde: dilediğiniz kâğıtla çıkın.
ask-card = Sıra sizde: { $who ->
    [talon] talon
   *[other] { $name }
} { CARD($card, case: "instrumental") } çıktı{ $trump ->
    [yes] {" "}(koz)
   *[no] { "" }
}.
answer-blind = { $blind ->
    [yes] Kör zole
   *[no] Kâğıtlara bak
}
# The buttons of an auction; $next is "yes" where the talon is decided afterwards.
answer-bid = { $bid ->
    [pass] Pas
    [ordinary] Oyna
    [solo] Zole
    [small_solo] Küçük zole
   *[blind] Kör zole
}
# What a bid means, below it.
answer-bid-more = { $bid ->
    [ordinary] { $next ->
        [yes] talona sonra karar ver
       *[no] talonu al
    }
    [solo] talonsuz
   *[small_solo] hiç löve alma
}
# Before two rows of stakes: what a game pays, and what it costs.
tile-wins = kazanç { $range }
tile-loses = kayıp { $range }
tiles-pay = Bütün rakiplerden toplam fişiniz
answer-talon = { $choice ->
    [take] Talonu al
   *[give] Talonu bırak, zole oyna
}
answer-play-on = Devam et
answer-give-up = Pes et
answer-accept = Kabul et
answer-offer = Pes etmeyi teklif et
# On a narrow window, and once it was pressed.
answer-offer-short = Eli bırak
play-rest = Kalanı oyna
play-rest-short = Kalan
really-offer = Gerçekten mi? { $stakes }
# What conceding means, while it is pressed again.
offer-binds = İhaleci reddedebilir. Teklifiniz ortağınızı da bağlar.
conceding-pays = 31-60 puan almış gibi ödersiniz.
lay-aside = Göm: { $cards }
choose-more = { $count ->
    [one] { $count } kâğıt daha seçin
   *[other] { $count } kâğıt daha seçin
}
why-not-trumps = Koz çıkıldı, elinizde de koz var: kızlar, valeler ve bütün karolar kozdur.
why-not-suit = { $suit ->
    [clubs] Sinek çıkıldı, elinizde de sinek var.
    [spades] Maça çıkıldı, elinizde de maça var.
   *[hearts] Kupa çıkıldı, elinizde de kupa var.
}{ $trump ->
    [yes] {" "}Seçtiğiniz { CARD($card) } ise koz.
   *[no] { "" }
}
refused = Hamle kabul edilmedi: { $why }. Yeniden seçin.
on-at-once = { $touch ->
    [yes] Dokunun: hemen ilerler.
   *[no] Tıklayın ya da Boşluk: hemen ilerler.
}
other-tab-asked = Öteki sekmede cevap verin.
waiting-for = Beklenen: { $name } …
waiting-for-offer = Teklifinize cevap bekleniyor: { $name } …
invite-friends = Arkadaşlarınızı davet edin
invite-helps = Her bağlantı bir yer açar. Herkes gelince ilk el başlar.
waiting-for-others = Diğerleri bekleniyor…
waiting-for-deal = İlk el bekleniyor…
thinking = Düşünülüyor…
hint-is = İpucu: { $answer }.

## The table's page

you = Siz { $stakes }
your-turn-title = ● Sıra sizde - Zole
settings = Ayarlar
keys = Tuşlar
help = Yardım
trumps = Kozlar
trumps-elsewhere = { $count ->
    [one] { $count } koz ne oynandı ne de elinizde.
   *[other] { $count } koz ne oynandı ne de elinizde.
}
trumps-frames = Çerçeveli: sizde. Gri: çıktı.
# Of a card, in the list of all: what has become of it.
card-gone = , oynandı ya da gömüldü
card-yours = , sizin
help-trumps = Kozlar, en yükseği önce
help-trumps-order = Bütün kozlar tek renktir: kızlar, sonra valeler; her ikisinde sıra sinek, maça, kupa, karo. Ardından diğer karolar.
help-suits = Diğer renkler, en yükseği önce
help-points = Kâğıtların puanları
help-points-each = as 11, onlu 10, papaz 4, kız 3, vale 2, diğerleri 0; toplam 120
help-terms = Terimler ve işaretler
means-declarer = tek başına oynar ve 120 puanın en az 61’ini alırsa kazanır. Diğerleri savunmadır.
means-forehand = dağıtanın solunda oturur, ihalede ilk o konuşur ve ilk löveye o çıkar. Dağıtan her elde sola geçer.
means-trick = her oyuncudan bir kâğıt. Çıkılan renk varsa o oynanır; yoksa her kâğıt oynanabilir. En büyük koz alır, koz yoksa çıkılan rengin en büyüğü; alan sonraki löveye çıkar.
means-talon = dağıtımdan artan iki kâğıt. Normal oyunda ihaleci alır, zolede puanları savunmaya sayılır.{ $turned ->
    [yes] {" "}Masa elinde ilk iki lövede açılırlar.
   *[no] {" "}Masa elinde kimseye sayılmaz.
}
means-play = tek başına, talonla oynamak: iki kâğıt gömülür, 61 puan kazandırır.
means-zole = tek başına, talonsuz oynamak; daha çok fiş için.
means-table-game = herkes pas dedi: herkes kendi için oynar. En çok löve alan kaybeder; eşitlikte puanı çok olan.
means-stakes = bir elin kazandırdığı ya da kaybettirdiği; maç boyunca toplanır. Puanlar yalnızca eli belirler.
means-concede = kurallar izin verirse eli kaybetmeyi kabul etmek. İhaleci bunu ikinci lövenin sonuna kadar yapabilir ve 31-60 puan almış gibi öder. Savunmadaki her oyuncu sırası gelince bunu bir kez teklif edebilir; ihaleci kabul edip 61-90 puan almış gibi kazanır ya da oyuna devam eder.
means-hint = gördüklerinize uyan birçok dağılım, herkes bütün kâğıtları görüyormuş gibi sonuna kadar oynandığında en iyi sonucu veren yanıt.
ring = Sarı çerçeve
means-ring = bu kâğıdı oynayabilirsiniz. Kesik çizgili çerçeve ipucudur.
edge = Renkli kenar
means-edge = şimdilik löveyi alan kâğıt.
plus = 0+
means-plus = şimdiye dek alınan puanlar; görünmeyen iki kâğıt da eklenir: ihalecinin gömdükleri ya da zolede savunmaya yazılan talon.
# The figures of docs/strategy.md, roughly.
help-thumb = Pratik kurallar
thumb-play = ikisi kız beş koz ve koz dışı bir asla ya da ikisi kız altı kozla. İki kişi pas geçtiyse daha azı yeter: onlar da zayıf.
thumb-zole = yedi koz ve koz dışı bir asla, altı koz ve böyle iki asla ya da sekiz kozla.
thumb-declarer = bir renkten hiç kâğıdı kalmayacak gibi iki kâğıt gömer: tek kalan bir kâğıdı ya da onluyu papazıyla; asları ve kozları tutar. Hiçbir kâğıt alamadığı sürece en büyük kozuyla, sonra bir as ile çıkar.
thumb-defender = kozla değil, başka renkle çıkar. Ortağının lövesine as ya da onluyu ihaleci oynadıktan sonra verir, önce değil.
help-rules = Zole nasıl oynanır
leave = Ayrıl
close = Kapat
stay = Masada kal
connecting = Bağlanılıyor…
your-cards = Kâğıtlarınız
nearest-hand = Öndeki oyuncunun kâğıtları
what-is-asked = Cevaplarınız
last-trick = Son löve
hint = İpucu
give-up-later = Bir sonraki çıkıştan önce pes edeceksiniz.
give-up-not = Pes etme
another-tab = Bu yerde başka bir sekme ya da pencereden oynuyorsunuz; bu sayfa yalnızca izliyor.
play-here = Burada oyna
connection-lost = Bağlantı koptu. Yeniden deneniyor…
answered-already = Bu soru zaten cevaplandı ya da süresi doldu.
answer-lost = Hamleniz henüz ulaşmadı. Ulaşana kadar yeniden gönderilir.
leaving-lost = Ayrılma isteğiniz iletilemedi. Yeniden deneyin.
site-silent = Site cevap vermiyor. Yeniden deneyin.
not-taken = Sunucu bunu kabul etmedi.
your-time = Süreniz
seconds-left = { $count ->
    [one] { $count } saniye kaldı
   *[other] { $count } saniye kaldı
}
leave-title = Maçtan ayrılmak istiyor musunuz?
replay-title = Bunu yeniden oynamak ister misiniz?
leave-for-replay = Bunu yeni bir masada oynarsınız. Bu maç sizi bekler.
leave-retry = Yeniden oynadığınız el burada biter.
leave-guest = Çevreye bakarken on beş dakika, günün elini oynarken de oyun boyunca bekler. Ayrılırsanız geri dönemezsiniz.
look-around = Çevreye bak
leave-friend = Bir arkadaşınız kaldıkça yerinizde bir bot oynar. Bu sayfa sizi geri getirir.
leave-person = Geri dönemezsiniz: bu eli ve bundan sonra sizden hamle istenen her eli kaybedersiniz.
skip-title = Ders atlansın mı?
leave-lesson = Dersi sonra da alabilirsiniz: her masadaki yardım (?) derse geri götürür.
browser-keeps = Seçimleriniz bu tarayıcıda saklanır.
setting-language = Dil
setting-pace = Diğerlerinin temposu
setting-deck = Kâğıtlar
setting-sound = Kâğıt sesi
choice = { $choice ->
    [briskly] hızlı
    [calmly] sakin
    [at-once] anında
    [four-colours] dört renkli
    [classic] klasik
    [large-index] büyük indeksli
    [off] kapalı
   *[on] açık
}
key-move = önceki ya da sonraki kâğıda veya cevaba geç
key-enter = o kâğıdı oyna, o cevabı ver; el bitince: sonraki el
key-space = diğerleri oynarken ya da löveye bakılırken hemen ilerle
key-number = o numaralı kâğıt ya da cevap
key-trumps = kozlar, puanlar ve oyunun ödemesi
key-last-trick = son löveyi yeniden göster ya da şimdiki löveye dön
key-hint = ücretsiz bir ipucu
key-offer = savunmadayken, kurallar izin verirse pes etmeyi teklif et
key-give-up = ihaleciyken, kurallar izin verirse sonraki löveden önce pes et ya da vazgeç
key-play-rest = el belli olunca: son kâğıtları ipuçlarıyla sizin yerinize oyna
key-help = bu yardım

## The score sheet

score-sheet = Yazboz
total-after = sonraki toplam
deal = el
deals-listed = Eller
now = şimdi
in-the-pools = Potlar: { $pools }.
what-happened = Neler oldu
this-deal = Bu el
what-it-pays = Fişler
this-game-pays = Bu elin fişleri
most-points-pay = { $count ->
    [one] En çok puanı alan, diğer oyuncuların her birine { $count } fiş öder.
   *[other] En çok puanı alan, diğer oyuncuların her birine { $count } fiş öder.
}
table-tie = { $settlement ->
    [fewest_tricks_collects] Löveler eşitse puanı az olan kazanır.
    [most_points_pays] Puanlar eşitse lövesi çok olan öder; ikisi de eşitse bu iki oyuncunun her biri üçüncüye { $stake } öder.
   *[most_tricks_pays] Löveler eşitse puanı çok olan öder; ikisi de eşitse bu iki oyuncunun her biri üçüncüye { $stake } öder.
}
declarer-takes = ihalecinin aldığı
from-each = her rakipten
level = { $level ->
    [all_tricks] bütün löveler
    [ge91] 91 puan ve üstü
    [ge61] 61-90 puan
    [from_31] 31-60 puan
    [le30] 30 puan ve altı
    [no_tricks] hiç löve yok
    [made] hiç löve yok: kazandı
   *[lost] en az bir löve: kaybetti
}
tier-paid = { $level }: { $won ->
    [yes] ihaleci herkesten { $count } alır
   *[no] ihaleci herkese { $count } öder
}.
most-tricks-pay = { $count ->
    [one] En çok löveyi alan, diğer oyuncuların her birine { $count } fiş öder.
   *[other] En çok löveyi alan, diğer oyuncuların her birine { $count } fiş öder.
}
fewest-tricks-win = { $count ->
    [one] En az löveyi alana diğer oyuncuların her biri { $count } fiş öder.
   *[other] En az löveyi alana diğer oyuncuların her biri { $count } fiş öder.
}

## The end of a deal, and of a match

deal-over = El bitti
deal-won = { $count ->
    [one] { $count } fiş kazandınız
   *[other] { $count } fiş kazandınız
}
deal-lost = { $count ->
    [one] { $count } fiş kaybettiniz
   *[other] { $count } fiş kaybettiniz
}
deal-even = Ne kazandınız ne kaybettiniz
deal-sat-out = Oynamadınız
# What is shown of a deal that is over.
part = { $part ->
    [result] Sonuç
    [tricks] Löveler
    [review] Analiz
   *[same] Aynı kâğıtlar
}
levels-play = Her düzeyden botlar bu kâğıtları oynuyor …
levels-silent = Şu anda hiçbir bot bu kâğıtları oynayamıyor.
same-cards-told = Aynı kâğıtlar sizin yerinizde, her düzeyden birer botla bir kez oynandı; şansın da payı var:
one-deal-is-luck = Tek bir elde şansın da payı vardır: daha iyi bir kâğıt da kaybedebilir.
first-time = İlk seferinde: { $amount }.
try-again-here = Buradan yeniden dene
play-these-again = Bu kâğıtları yeniden oyna
strength = { $level ->
    [beginner] Acemi
    [club] Kulüp oyuncusu
    [strong] Güçlü oyuncu
   *[master] Usta
}
# $day is a date, $amount stakes with their sign.
day-result = Günün eli, { $day }: { $amount }{ $with ->
    [points] , { points }
   *[nothing] { "" }
}.
day-first = İlk siz oynadınız.
day-bots = Aynı kâğıtlarla botlar: { $made }.
day-others = Oynayan başka { $count } kişi var: daha kötü { $less }, aynı { $same }, daha iyi { $more }. Fişler eşitse kâğıt puanları belirler.
day-better-than = { $count ->
    [one] Diğer { $count } kişiden geride bıraktıklarınız: %{ $share }.
   *[other] Diğer { $count } kişiden geride bıraktıklarınız: %{ $share }.
}
to-the-end = Son durum
trick-before = Önceki löve
trick-after = Sonraki löve
next-deal = Sonraki el
what-it-paid = Ödemeler
seat = oyuncu
in-all = toplam
looking-for-better = Daha iyi hamleler aranıyor…
what-would-be-better = Daha iyi hamleler
no-mistake = Bilebileceklerinize göre bariz hata yok.
no-clear-mistake = Bariz hata yok. En çok şey söz konusuyken doğru seçtiniz: { $where }.
was-right = { $given } doğruydu.
cards-decided = Herkes bütün kâğıtları görseydi başka hiçbir kâğıdınız daha iyi olmazdı.
in-hindsight = { $where }: herkes bütün kâğıtları görseydi { $better } daha iyi olurdu.
better = { $given } yerine { $best } daha iyiydi: ortalama { $loss } fiş fazla.
better-plain = { $given } yerine { $best } daha iyiydi.
close-calls = Daha iyi, ama hata sayılmayacak kadar yakın:
where-deal = { $deal }. el
where-trick = { $trick }. löve
ask = { $ask ->
    [blind] kör
    [bid] ihale
    [talon] talon
    [discard] gömme
    [surrender] pes
    [offer] teklif
   *[play] kâğıt
}
dearest-moments = Size en pahalıya patlayan hatalar
course-of-match = Her elden sonra bütün oyuncuların fişleri
match-over = Maç bitti
match-place = { $of ->
    [deal] El bitti
   *[match] Maç bitti
}: { $stands ->
    [won] kazandınız
    [shared] { $players } oyuncu arasında { $place }. sıradasınız, paylaşarak
   *[other] { $players } oyuncu arasında { $place }. sıradasınız
}.
you-have-left = Masadan ayrıldınız.
come-back = Geri dön
back-to-match = Maça dön
disqualified = Çok fazla ihlal yaptınız: diskalifiye oldunuz.
play-again = Yeniden oyna
play-a-match = Bir maç oyna
other-bots = Başka botlar
the-standings = Sıralama
may-close = Bu sayfayı kapatabilirsiniz. { $play } yeni bir maç başlatır; { $replay } ise { $record } ile kaydedilen bir maçı yeniden gösterir.
this-table = Bu masa
bots-play-here = Bu masada botlar oynuyor: { $names }.{ $day ->
    [yes] { "" }
   *[no] {" "}Maç puanlamaya girmez.
}
day-same-cards = Günün eli: bugün herkes bu kâğıtlarla oynar, ilk oynayış sayılır.
watch = izleyebilir
friends-may-watch = Arkadaşlarınız { $watch }: masadaki herkesin gördüğünü, el bitince de bütün kâğıtları görürler.
see-it-again = Maçı yeniden izleyin
see-again-card-by-card = { $link }, kâğıt kâğıt.
share = { $what ->
    [result] Sonucu paylaş
    [replay] Tekrarı paylaş
   *[link] Bağlantıyı paylaş
}
address-copied = Adres kopyalandı.
the-log = Maç kaydı
log-is-yours = { $link } her hamleyi metin olarak içerir. Maç ve kaydı burada bir ay saklanır.

## The guided first deals: at most 15 words at a time

coach = Koç
go-on = Devam
skip = Atla
learn = Beş dakikada öğren
learnt = Oynayacak kadar biliyorsunuz
learnt-helps = Masa, oynayabileceğiniz kâğıtları çerçeveler. İhaleci, kimse alamadığı sürece en büyük kozuyla, sonra bir as ile çıkar. Kuralların istisnası vardır: yaklaşık yedide bir, başka bir kâğıt daha iyidir. İpucu, kâğıtlarınızı gördüklerinize uyan birçok dağılımda dener. Her masadaki yardım (?) bu derse geri götürür.
learnt-match = Burada art arda iki kez Juris dağıttı; masada dağıtan her elde sola geçer. Son elden sonra fişi en çok olan maçı kazanır.
start-playing = Şimdi oyna
anna = Anna
juris = Juris
coach-welcome = Hoş geldiniz! Üç oyuncunun sekizer kâğıdı var; ortadaki iki kâğıt talondur.
coach-trick = Löve: herkes bir kâğıt atar, en büyüğü üçünü de alır.
coach-passed = Herkes tek başına oynamayı önerebilir. Bu kez kimse istemedi: en çok löve alan kaybeder.
coach-trumps = Kızlar, valeler ve karolar kozdur, diğerlerini alır. En büyüğü başta, sizinkiler çerçeveli.
coach-suits = Sinek, maça ve kupada yalnızca dörder kâğıt var, yüksekten alçağa: as, onlu, papaz, dokuzlu.
coach-lead-low = Löve istemiyorsunuz: maça dokuzlusuyla çıkın. Sarı çerçeve: oynayabileceğiniz kâğıtlar.
coach-lead-lower = Bununla löveyi alabilirsiniz. Küçük maça dokuzlusuyla başlayın.
coach-suit-first = Kozlar çoğu kez löveyi alır: saklayın. Maça dokuzlusuyla çıkın.
coach-no-ace = Ası ancak bir koz alır. Küçük dokuzluyla başlayın.
coach-highest = En büyük maça Anna’nın onlusu: bu löveyi o alır, sonrakine de o çıkar.
coach-follow = Kupa çıkıldı, kupa oynamalısınız. As löveyi alırdı: papazı oynayın.
coach-ace-wins = Asınız onluyu geçer ve löveyi alır. Papazı oynayın.
coach-void = Elinizde sinek yok, her kâğıt serbest. Maça asından kurtulun!
coach-off-suit = Asınız ne sinek ne koz: löveyi alamaz. Löveyi Anna’nın onlusu alır.
coach-trump-takes = Koz bu löveyi alır, oysa löve istemiyorsunuz. Bir as atın.
coach-other-ace = Bu da aynı derecede iyi. Ama bu kez maça asını atın.
coach-trump-led = Koz çıkıldı, koz oynayın. Kızınız löveyi alırdı: dokuzluyu oynayın, yediliyi saklayın.
coach-lower-later = Bu da güvenli. Ama küçükler sonra da löve almaz: dokuzluyu verin, yediliyi saklayın.
coach-queen-takes = Kız valeyi alır, löve size kalırdı. Dokuzluyu oynayın.
coach-rest = Löveyi Juris alır, sonrakine o çıkar. Kalan kâğıtlar sizin için oynanır.
coach-trumped = Anna’da sinek kalmadı: koz olan karo onlusu papazı alır.
coach-queens = Kızların sırası: sinek, maça, kupa, karo. Son löveyi Anna’nın kızı alır.
coach-end-few = En çok löveyi Anna aldı: ikinize de ikişer fiş öder. Skor fişle tutulur.
coach-end-tie = Löveler eşitse kâğıt puanı belirler: o, sonraki elde anlatılır. Talon kimseye yazılmaz.
coach-pass = Dağıtanın solundasınız, ihalede ilk siz konuşursunuz. Elinizde kız yok, kâğıtlarınız çok zayıf: “Pas”a dokunun.
coach-too-weak = Kozlarınız tek başınıza oynamak için çok küçük. “Pas”a dokunun.
coach-partners = Anna “Oyna” dedi, ihale bitti. Anna ihaleci: tek başına oynuyor.
coach-exchanged = Anna talonu aldı ve iki kâğıt gömdü. Siz ve Juris savunmadasınız.
coach-plus = “0+”: gömdüğü iki kâğıt da onun puanına sayılır.
coach-had-ace = Şanssızlık: as Anna’daydı. Löveyi o alır ve o çıkar.
coach-points = Kâğıtların puanı var: as 11, onlu 10, papaz 4, kız 3, vale 2, gerisi 0.
coach-sides = Burada lövelerin puanı sayılır: Anna’ya 120’nin 61’i, size ve Juris’e 60 gerek.
coach-lead-ace = İlk löveye de siz çıkarsınız. Ası oynayın: onu ancak bir koz alır.
coach-why-ace = Asınız daha çok puan getirir, onu ancak bir koz alır. Asınızla çıkın.
coach-partner-gave = Juris onlusunu oynadı, o da sizin: birlikte toplam { points }.
coach-lead-nothing = Kupa dokuzlusuyla çıkın: puan kaybettirmez, löveyi belki Juris alır.
coach-why-nothing = Kozlarınızı sonraki lövelere saklayın. Kupa dokuzlusunun puanı yok.
coach-other-nine = Onun da puanı yok. Ama kupa ası belki Juris’tedir.
coach-give = Koz çıkıldı, Juris’in kızı daha büyük. Son oynayan sizsiniz: onlunuzu ekleyin!
coach-partner-has-it = Bu löve zaten ortağınızın: ona onluyu verin.
coach-take = Elinizde maça yok: kozla alın. Anna en son oynar; onun için en büyüğüyle, valeyle.
coach-jack-safer = İyi fikir, ama burada daha büyük bir koz daha güvenli. Valeyle alın.
coach-trump-it = O zaman löveyi Anna alır. Valeyle siz alın!
coach-took = Kozunuz Anna’nın asını bile alır: { points }. Sonraki kâğıtlar sizin için oynanır.
coach-defended = { points }: Anna artık 61’e ulaşamaz. Siz ve Juris kazandınız!
coach-end-defended = Anna 61 puana ulaşamadı: ikinize de ikişer fiş öder.
coach-end-worse = 30 puan ve altında üç, hiç löve almazsa dört fiş öder.
coach-strong = Kural: ikisi kız, en az beş koz ve koz dışı bir as varsa oynayın.
coach-talon = “Oyna”: talonu alır, iki kâğıt gömersiniz; tek başınıza 61 puan toplamanız gerekir.
coach-bid = “Oyna”ya dokunun: toplamda 2–6 fiş kazanırsınız ya da 4–8 fiş kaybedersiniz.
coach-too-strong = Bu kadar güçlü bir elle oynamaya değer. “Oyna”ya dokunun!
coach-no-solo = Zolede talon yok. Bu kâğıtlarla “Oyna” daha güvenli.
coach-discard = Kupa onlusu ile papazını gömün: { points } sizde kalır.
coach-why-hearts = Kupa onlusu ile papazı daha iyi: puanları sizde kalır, kupayı kozla alırsınız.
coach-draw = En büyük kozunuzu kimse alamaz: onunla çıkın. İkisi de koz vermek zorunda.
coach-why-draw = Önce kozlarını çekin ki asınızı alamasınlar: sinek kızıyla çıkın.
coach-highest-first = Neredeyse aynı. Ama en büyüğüyle başlayın: sinek kızıyla.
coach-draw-again = Şimdiden { points }. Artık maça kızını da kimse alamaz: onunla çıkın.
coach-why-again = Anna ile Juris’te hâlâ koz var. Önce maça kızıyla çıkın.
coach-cash = { points }. Artık valeler ve kızlar en büyük kozunuzu alır: maça asıyla çıkın!
coach-why-cash = Onlarda sizinkinden büyük kozlar var. Maça asıyla çıkın.
coach-made = { points }: 61 yeterli. Kazandınız! Kalanı sizin için oynanır.
coach-end-made = Her rakip bir fiş öder. 91 puandan sonra iki, bütün lövelerle üç.
coach-end-zole = Üçüncü seçenek zole: talonsuz 61 puan gerekir; talon ötekilere sayılır.
coach-end-more = Zole 8–12 kazandırır ya da 10–14 kaybettirir: ne zaman oynanacağını Yardım (?) gösterir.
table-decided = { $who ->
    [you] Siz { $wins ->
        [yes] kazandınız
       *[no] kaybettiniz
    }
   *[other] { $name } { $wins ->
        [yes] kazandı
       *[no] kaybetti
    }
}: { $settlement ->
    [fewest_tricks_collects] { $tied ->
        [yes] löve bir başkasınınki kadar az, puan daha az
       *[no] en az löve ({ $count })
    }
    [most_points_pays] { $tied ->
        [yes] puan bir başkasınınki kadar çok, löve daha çok
       *[no] en çok puan ({ $count })
    }
   *[most_tricks_pays] { $tied ->
        [yes] löve bir başkasınınki kadar çok, puan daha çok
       *[no] en çok löve ({ $count })
    }
}.
table-tied = { $paid ->
    [none] Herkesin lövesi ve puanı eşit: kimse ödemez.
    [to] İki oyuncunun lövesi ve puanı eşit: üçüncü ikisine de öder.
   *[by] İki oyuncunun lövesi ve puanı eşit: ikisi de üçüncüye öder.
}

## What came of a deal

result-none = Oyun ilan edilmedi.
result-table = Herkes pas dedi: masa eli.
result-thrown-in = Herkes pas dedi: el iptal.
# $tricks and $points are counts in words.
result-talon = Talon { $tricks } aldı, { points }.
# $end says how it ended for the declarer.
result-declared = { $who ->
    [you] Siz { a-game } oynadınız: { $took }.{ $end ->
        [won] {" "}Kazandınız.
        [lost] {" "}Kaybettiniz.
        [surrendered] {" "}Pes ettiniz.
        [conceded] {" "}Savunma pes etti.
       *[none] { "" }
    }
   *[other] { $name } { a-game } oynadı: { $took }.{ $end ->
        [won] {" "}Kazandı.
        [lost] {" "}Kaybetti.
        [surrendered] {" "}Pes etti.
        [conceded] {" "}Savunma pes etti.
       *[none] { "" }
    }
}
result-forfeit = { $who ->
    [you] Siz { a-game } oynadınız: { $took }.
   *[other] { $name } { a-game } oynadı: { $took }.
} { $end ->
    [won] İhlal nedeniyle (yapan: { $failed }) oyun kazanılmış sayılıyor.
   *[lost] İhlal nedeniyle (yapan: { $failed }) oyun kaybedilmiş sayılıyor.
}
took-points = { points } ({ $tricks }), savunma { $theirs } puan
no-trick = hiç löve yok
result-fault = { $who ->
    [you] Siz
   *[other] { $name }
}: { $fault ->
    [timeout] süre doldu
    [exited] ayrıldı
    [illegal] kurala aykırı
    [malformed] okunamadı
   *[other] { $fault }
}.
match-over-plain = Maç bitti.
where-ask = { $ask ->
    [blind] Kör
    [bid] İhale
    [talon] Talon
    [discard] Gömme
    [surrender] Pes
    [offer] Teklif
   *[play] Kâğıt
}
column-points = puan
column-tricks = löve
column-stakes = fiş

## A replay

match-title = { $league }, { $match }. maç
deal-of = { $deal }. el (toplam { $most } el)
deal-shown-of = { $deal }. el (burada gösterilen: { $place } / { $most })
after-deals = { $count ->
    [one] { $count } el sonunda
   *[other] { $count } el sonunda
}
in-deals-shown = { $count ->
    [one] burada gösterilen ilk { $count } elde
   *[other] burada gösterilen ilk { $count } elde
}
stakes-over = fiş ({ $deals })
rules-players = { $count ->
    [one] { $count } oyuncu, { $games }
   *[other] { $count } oyuncu, { $games }
}
rules-all-pass = { $allpass ->
    [table] herkes pas derse masa eli
    [pool] herkes pas derse pot
    [redeal] herkes pas derse yeniden dağıtım
   *[other] herkes pas derse { $allpass }
}
rules-pools = potlu
rules-and-isolation = { $rules }; yalıtım: { $level }
no-deal-played = Bu maçta hiç el oynanmadı.
# What a bot is asked, as a mark beside its name.
asked = { ask }?
is-asked = { $name } karar veriyor: { $ask ->
    [blind] kör oynayacak mı
    [bid] ihalede ne diyecek
    [talon] talonu alacak mı
    [discard] hangi iki kâğıdı gömecek
    [play] hangi kâğıdı oynayacak
    [surrender] pes edecek mi
   *[offer] kabul edecek mi
}?
no-answer = { $name } cevap vermedi.
answers = { $name } şu cevabı verdi: { $answer }.
seat-sits-out = { $seat } numaralı oyuncu bu el oynamıyor: elin nasıl geçtiğini sonunda öğrenir.
no-fault-before = Bundan önce ihlal yok.
no-fault-after = Bundan sonra ihlal yok.
fault-unknown = { $seat } numaralı oyuncu ileride ihlal olup olmadığını bilmez: A tuşu herkesin gözünden gösterir.
mistake-unknown = { $seat } numaralı oyuncu ileride hata olup olmadığını bilmez: A tuşu herkesin gözünden gösterir.
no-mistake-of-seat = Bundan önce { $seat } numaralı oyuncunun bariz hatası yok.
no-mistake-before = { $all ->
    [yes] Bundan önce bariz hata yok.
   *[no] Analiz edilen ellerde bundan önce bariz hata yok.
}
no-mistake-after = { $all ->
    [yes] Bundan sonra bariz hata yok.
   *[no] Analiz edilen ellerde bundan sonra bariz hata yok.
}
result-unknown = { $seat } numaralı oyuncu sonucu el bitince öğrenir: A tuşu herkesin gözünden gösterir.
result-is-shown = Sonuç gösteriliyor.
future-is-hidden = Bundan sonrası gizli.
deal-is-over = El bitti.
match-is-over = Maç bitti.

## What can be done in a replay

trick-back = bir löve geri
card-back = bir kâğıt geri
play-or-pause = oynat ya da duraklat
card-on = bir kâğıt ileri
trick-on = bir löve ileri
deal-back = bir el geri
deal-begin = elin başı
deal-end = elin sonu
deal-on = bir el ileri
fault-back = önceki ihlal
fault-on = sonraki ihlal
mistake-back = önceki bariz hata
mistake-on = sonraki bariz hata
show-result = elin sonucunu göster ya da bundan sonrasını gizle
close-help = yardımı kapat
see-all = bütün kâğıtları gör
look-from-seat = { $seat } numaralı oyuncunun gözünden bak: { $name }
step = Adım
deals = Eller
more = Daha fazla
look-from = Kimin gözünden
all-seats = herkes
a-deal = El
result = sonuç
fault = İhlal
mistake = Hata
before = önceki
next = sonraki
moment-of-deal = Elin anı
help-future = Bundan sonra olacaklar, siz istemedikçe ya da oraya varmadıkça gösterilmez. Bir oyuncunun gözünden bakınca yalnızca onun bildikleri görünür. Grafiğe tıklamak o hamleye ya da ele götürür.
help-values = Değerler, bundan sonra herkes açık kâğıtla oynarsa hamle sırası gelen oyuncunun kaç fiş alacağını gösterir: hem birbirinden ayırt edemediği ellerin ortalamasında hem de elin gerçek dağılımında. Oyuncunun bildiklerine göre en az yarım fişe, üstelik standart hatanın iki katından fazlasına mal olan hamle bariz hatadır.

## Parts of a replay

moves = Bu elin hamleleri
as-dealt = dağıtıldığı gibi
mark-fault = ihlal
mark-refused = reddedildi
mark-note = not
mistake-costs = hata, bedeli
trick-to = { $trick }. löve: { $who ->
    [talon] talon
   *[other] { $name }
}, { points }
current-move = Şimdiki hamle
bot-sent = Botun gönderdiği: { $answer }
fault-title = İhlal
refused-title = Reddedildi
note-title = Not
stderr-title = Standart hata çıktısı
stderr-of = Standart hata çıktısı, bütün maç: { $bot }
the-result = Sonuç
result-of-deal = Elin sonucu
show-the-result = Sonucu göster
seat-learns-later = Oyuncu bunu el bitince öğrenir.
stakes-after = fiş ({ $deals })
pools-after = Bundan sonraki potlar: { $pools }.
no-pools-after = Bundan sonra pot yok.
the-deals = Eller
filter-declarer = ihaleci
filter-contract = oyun
filter-swing = kazanç ya da kayıp
filter-fault = ihlalli
any = hepsi
none = yok
swing-or-more = { $count ->
    [one] { $count } fiş ve üstü
   *[other] { $count } fiş ve üstü
}
deals-found = { $count ->
    [one] { $count } elden { $found } tanesi
   *[other] { $count } elden { $found } tanesi
}
deals-found-so-far = { $count ->
    [one] şimdiye kadar görülen { $count } elden { $found } tanesi
   *[other] şimdiye kadar görülen { $count } elden { $found } tanesi
}
deals-later = Eller bittikçe listelenir.
show-all-deals = Bütün elleri göster
no-contract = oyun yok
clear-mistakes = { $count ->
    [one] { $count } bariz hata
   *[other] { $count } bariz hata
}
seconds-of-deal = Bu elde her hamlenin süresi, saniye
seconds-of-seat = Bu elde { $seat } numaralı oyuncunun her hamlesinin süresi, saniye
stakes-over-deals = Eller boyunca fişler
expected-stakes = Bu elde beklenen fişler; her çizgi en iyi hamleye kadar uzanır
stakes-lost = Bu elde hamlelerle kaybedilen fişler
course-of-deal = Elin gidişatı
could-expect = { $name } açık kâğıtla burada { $amount } fiş bekleyebilirdi

## The review in a replay

review = Analiz
value-appears-here = Her hamlenin değeri burada görünür.
hangs-on-hidden = Bunun değeri, { $seat } numaralı oyuncunun görmediği kâğıtlara bağlı.
no-choice = Burada seçenek yoktu ya da bu hamle analiz edilmedi.
no-choice-of-seat = Burada seçenek yoktu ya da bu hamle analiz edilmedi: A tuşu herkesin gözünden gösterir, sayfa oradan analiz edebilir.
save-as-test = Botun bir testi olarak: { $command }
not-reviewed = Bu el analiz edilmedi. Terminalde { $command } bütün maçı analiz eder.
# $bots are the names of those whose answers alone were reviewed.
reviewed-for-only = Yalnızca { $bots } için analiz edildi.
all-answers = { $count } hamlenin hepsi
clear-mistake = { $mark }: { $better } daha iyiydi.
clear-mistake-mark = ✗ Bariz hata
no-better = ✓ Daha iyi görünen hamle yok.
perhaps-better = ≈ { $better } daha iyi görünüyor, ama bu rastlantı olabilir.
# $open is "yes" where $revealed is told too: what it cost with open hands.
it-cost = Bedeli { $loss } fiş ({ $among }){ $open ->
    [yes] ; açık kâğıtla bedeli { $revealed } fiş.
   *[no] .
}
among-known = oyuncu her kâğıdın yerini çıkarabilirdi
among-all = { $count ->
    [one] oyuncunun ayırt edemediği { $count } ele göre
   *[other] oyuncunun ayırt edemediği { $count } elin hepsine göre
}
among-some = { $count ->
    [one] oyuncunun ayırt edemediği ellerden { $count } tanesine göre
   *[other] oyuncunun ayırt edemediği ellerden { $count } tanesine göre
}
column-answer = hamle
column-known = bilinen
column-open = açık
given-or-best = oynanan ya da en iyi
given = ● oynanan
best = ★ en iyi

## Why a hint is good

why-only = Kurallar başka bir şeye izin vermiyor.
why-unbeatable = Kalan hiçbir kâğıt onu alamaz.
why-draws-trumps = Diğerlerinin kozlarını çeker.
why-only-trumps = Onu ancak bir koz alır.
why-before-trumped = Sayılarını şimdi, diğerleri belki renge uymak zorundayken alın: kozlarınız bekleyebilir.
why-takes-now = Şimdilik löveyi o alır.
why-does-not-take = Löveyi almaz.
why-takes = Löveyi alır: { points }{ $more ->
    [yes] {" "}ya da daha çok
   *[no] { "" }
}.
why-side-takes = Löve her durumda sizin tarafta kalır: { points } ya da daha çok.
why-partner-takes = Löveyi ortağınız alır: ona { points } verin.
why-partner-so-far = Löve şimdilik ortağınızda: ona { points } verin.
why-partner-may-trump = Ortağınızda bu renk yok, koz çakabilir: ona { points } verin.
why-partner-last = Son oynayan ortağınız löveyi alabilir: ona { points } verin.
why-keeps-trumps = { $count ->
    [one] Kozunuzu
   *[other] Kozlarınızı
} sonraya saklar.
why-keeps-higher = { CARD($card) } sonraya kalır.
why-keeps-at-a-price = { points } daha pahalıya gelir ama { CARD($card) } sonraya kalır.
why-keeps-lower = Daha zayıf olan { CARD($card) } sonraya kalır.
why-keeps-winner = { CARD($card) } sonraya kalır: onu ancak bir koz alır.
why-harder = { CARD($card) } daha kolay alınır.
why-sets-up = { CARD($card) } gidince bu rengin en yüksek kâğıdı sizde olur.
why-risks-less = Löve kaybedilirse { CARD($card) } kadar puana mal olmaz.
why-no-points = Kaybedecek puanı yok.
why-weakest = Oynayabileceğiniz en zayıf kâğıt.
why-in-any-case = Ne zaman oynarsanız oynayın bir löve alır: kalan hiçbir kâğıt onu alamaz. Küçük kâğıtlar sonra işe yarar.
why-strongest = Oynayabileceğiniz en güçlü kâğıttan kurtulursunuz.
why-fewest-points = En az puanı verir.
why-void = { $suit ->
    [clubs] Sinek kalmayınca o rengi kozla alabilirsiniz.
    [spades] Maça kalmayınca o rengi kozla alabilirsiniz.
   *[hearts] Kupa kalmayınca o rengi kozla alabilirsiniz.
}
why-void-later = { $suit ->
    [clubs] Sinek kalmayınca, o renk oynandığında yüksek kâğıtları atabilirsiniz.
    [spades] Maça kalmayınca, o renk oynandığında yüksek kâğıtları atabilirsiniz.
   *[hearts] Kupa kalmayınca, o renk oynandığında yüksek kâğıtları atabilirsiniz.
}
why-others-higher = { $count ->
    [one] Bu renkten daha yüksek { $count } kâğıt daha var: löveyi başkası almak zorunda kalabilir.
   *[other] Bu renkten daha yüksek { $count } kâğıt daha var: löveyi başkası almak zorunda kalabilir.
}
why-shorter = Bu renkten ne kadar az kâğıdınız kalırsa, yüksek kâğıtları o kadar erken atabilirsiniz.
why-safe = { points } sizde kalır.
why-same-word = { answer-word }: aşağı yukarı aynı değerde.
why-same-discards = Ortalamada aşağı yukarı aynı değerde: { $cards }{ $more ->
    [yes] {" "}ve başkaları
   *[no] { "" }
}.
why-no-matter = { $end ->
    [pays] Fark etmez: gördüklerinize uyan 100 dağılımın yaklaşık { $count } tanesinde her kâğıtla siz ödersiniz.
    [lost] Fark etmez: her kâğıtla yaklaşık aynı kadar kaybedersiniz.
    [won] Fark etmez: her kâğıtla yaklaşık aynı kadar kazanırsınız.
   *[even] Fark etmez: gördüklerinize uyan 100 dağılımın yaklaşık { $count } tanesini her kâğıtla kazanırsınız.
}
why-same-but = Ortalamada aynı değerde: oynayabileceğiniz her kâğıt, { $cards } dışında.
why-same-cards = Ortalamada aynı değerde: { $cards }.
why-better = Sizin için ortalamada diğer her hamleden { $ahead } fiş daha iyi.
why-wins = { $end ->
    [more] Gördüklerinize uyan 100 dağılımın { $won } tanesini bununla, { $less } tanesini diğer kâğıtla ({ CARD($card) }) kazanırsınız.
    [pays] Gördüklerinize uyan 100 dağılımın bununla { $won } tanesinde, diğer kâğıtla ({ CARD($card) }) { $less } tanesinde siz ödersiniz.
    [lost] Diğer kâğıtla ({ CARD($card) }) da kaybedersiniz, hem de ortalamada { $ahead } fiş daha çok.
    [won] Diğer kâğıtla ({ CARD($card) }) da kazanırsınız, ama ortalamada { $ahead } fiş daha az.
    [even] Diğer kâğıtla ({ CARD($card) }) aynı sıklıkta kazanırsınız, ama ortalamada { $ahead } fiş daha az alırsınız.
   *[less] Sizin için ortalamada diğer kâğıttan ({ CARD($card) }) { $ahead } fiş daha iyi.
}
why-rule-fails = Burada “önce en büyük koz” kuralı geçmez.
why-worth = Ortalama fişiniz:
why-also = { answer-word } { $next }.
why-too-close = Yarım fişten az fark bir şey söylemez.
why-hand = Bu elde: koz { $trumps }, kız { $queens }, koz olmayan as { $aces }.
more-answers = … { $count } tane daha …
# Above the values of all answers as bars.
values-of-answers = { $kind ->
    [cost] En iyiyle fark, fiş olarak:
    [open] En iyiyle fark, bütün kâğıtlar açıkken:
   *[worth] Ortalama fişiniz:
}

## Beside the page

# What stands on a key.
key-cap = { $key ->
    [space] Boşluk
    [enter] Enter
    [page-up] PgUp
    [page-down] PgDn
    [home] Home
    [end] End
   *[escape] Esc
}
# Where a browser runs no scripts.
replay-needs-script = Bu sayfaya JavaScript gerekir: dosyanın, ağı kullanmayan betiğini çalıştırmasına izin verin.
table-needs-script = Bu sayfaya JavaScript gerekir: yalnızca geldiği bilgisayarla konuşan betiğini çalıştırmasına izin verin.
