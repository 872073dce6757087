### What stands around every page: its head and foot, times and counts.
###
### Not yet read over by a native player.

## The head and the foot

# The description for search engines; $page is the page's own title, with a mark behind it, or empty.
about-page = { $page }{ $title }: Zole kâğıt oyununu oynayan botlar, sıralamaları, maçları ve elleri.
skip-to-page = Sayfanın içeriğine geç
places = Beş bölüm
pages = Sayfalar
page-standings = Sıralama
page-crosstable = Çapraz tablo
page-matches = Maçlar
page-watch = İzle
page-play = Oyna
page-ledger = Defter
page-rules = Kurallar
page-about = Hakkında
page-begin = Başla
page-own-bots = Botlarım
page-learn = Öğren
page-build = Geliştir
page-deals = Eller
page-table = Tablo
page-in-short = Kısaca
page-guide = Kılavuz
languages = Diller
# $name is the league's, all others are counts; $practice is "yes" where the seed is known.
league-so-far = { $name }: { $matches ->
    [one] { $matches } maç
   *[other] { $matches } maç
}, { $games ->
    [one] { $games } oynanmış el
   *[other] { $games } oynanmış el
}, { $decisions ->
    [one] { $decisions } karar
   *[other] { $decisions } karar
}{ $practice ->
    [yes] ; alıştırma: tohumu (seed) biliniyor
   *[no] { "" }
}. Son durum: { $moment }.
# The ledger's name stands in the genitive here.
ledger-line = { $ledger } { $line }. satırının özeti (hash): { $hash }
the-ledger = Defterin
json-beside = Çoğu sayfanın verileri JSON olarak da var: adresin sonuna <code>.json</code> ekleyin.
the-api = API
version = Zole Arena { $version }.
not-connected = Bağlantı yok: sayfa son öğrendiğini gösteriyor.
load-again = Yeniden yükle
copy = Kopyala
copied = Kopyalandı
copy-by-hand = Seçip elle kopyalayın
hash-is-right = ✓ aynı, tarayıcınız hesapladı
hash-is-wrong = ✗ aynı değil

## Times and counts

moment-utc = { $moment } UTC
length-days = { $count } gün
length-hours = { $count } sa.
length-minutes = { $count } dk.
length-seconds = { $count } sn.
deals-numbered = { $count ->
    [one] { $first }. el
   *[other] { $first }-{ $last }. eller
}
faults = { $count ->
    [one] { $count } ihlal
   *[other] { $count } ihlal
}
a-table = Tablo: { $label }
