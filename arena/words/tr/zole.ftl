### How Zole is played, for somebody who does not know it: the page /zole of a site.
###
### Not yet read over by a native player. Terms: those of table.ftl; renge uymak (follow suit), as in bridge.

how-title = Zole nasıl oynanır
how-lead = Zole, Letonya’nın kâğıt oyunudur: masada üç kişi vardır, biri tek başına ikisine karşı oynar. Bir el iki dakika sürer, kuralları öğrenmek beş.
how-as-here = Bu sitenin ligi böyle oynar; başka yerlerde bazı şeyler farklıdır.
learn-in-minutes = Beş dakikada öğren

how-deal = Dağıtım
how-deal-told = 26 kâğıt vardır: sinek, maça ve kupada dokuzludan asa kadar, karoda ise sekiz kâğıdın hepsi. Üç oyuncunun her birine sekiz kâğıt dağıtılır. Kalan ikisi kapalı durur: bunlara <b>talon</b> denir.
how-deal-shown = Başlayan oyuncu dağıtanın solunda oturur: ihalede ilk sözü o söyler, ilk löveye o çıkar.
# $players is 4 or 5.
how-sits-out = { $players ->
    [4] Bu ligin masalarında dört kişi oturur: dağıtan o eli oynamaz.
   *[5] Bu ligin masalarında beş kişi oturur: her elde dağıtan ve bir kişi daha dışarıda kalır.
}
how-trumps = On dört koz
how-trumps-told = Bütün kızlar, bütün valeler ve bütün karolar kozdur. Hepsi tek bir renktir ve her koz, koz olmayan bütün kâğıtları alır.
how-trumps-shown = En güçlüsünden en zayıfına: sinek kızını hiçbir kâğıt alamaz.
how-suits = Koz olmayan üç renk
how-suits-told = Sinek, maça ve kupada sıra şöyledir: as, onlu, papaz, dokuzlu. Onlu papazdan güçlüdür.
how-suits-shown = Koz olmayan her renkte dört kâğıt vardır.
how-points = 120 puan
how-points-told = Biri tek başına oynarken önemli olan kaç löve alındığı değil, alınan lövelerde ne olduğudur.
how-points-shown = As 11, onlu 10, papaz 4, kız 3, vale 2 puandır; dokuzlu, sekizli ve yedili puan getirmez.
how-auction = Kim tek başına oynar
# $ranked is "yes" where the highest bid plays.
how-auction-told = Başlayandan itibaren herkes bir kez söz söyler: ya oynar ya pas der. { $ranked ->
    [yes] En yüksek oyunu söyleyen oynar
   *[no] Pas demeyen ilk kişi oynar
}: <b>ihaleci</b> odur, birlikte oynayan diğer ikisine karşı tek başınadır.
how-auction-shown = Bu kâğıtlarla oynanır: ikisi kız olmak üzere beş koz ve bir as.
how-talon = Talon
how-talon-told = Normal oyunda ihaleci talonu alır, sonra on kâğıttan ikisini gömer. Gömülenlerin puanları ihaleciye sayılır.
how-talon-shown = Yukarıda duran iki kâğıt gömülür: onlunun puanları güvendedir, bundan sonra sinekler de kozla alınabilir.
how-solo = Zole
how-solo-told = Oyunla aynı adı taşıyan zolede ihaleci talonsuz oynar: talonun puanları diğerlerine sayılır. Ödemesi daha yüksektir.
how-solo-shown = Zole oynanacak kâğıtlar: en güçlü kozlar ve bir as.
how-small-solo-told = Küçük zolede ihaleci hiç löve almazsa kazanır.
how-blind-told = Kör zole, kâğıtlar görülmeden ilan edilir; ödemesi en yüksek olan odur.
how-follow = Renge uymak
how-follow-told = Çıkan oyuncu istediği kâğıdı oynayabilir. Diğerleri renge uyar: çıkılan renkten, koz çıkıldıysa kozdan bir kâğıt oynar. Elinde ondan olmayan, koz dâhil istediğini oynayabilir.
how-follow-shown = Maça papazı çıkıldı: yalnızca parlak duran iki kâğıt oynanabilir. Maça kızı maça değil, kozdur.
how-trick = Löveyi kim alır
how-trick-told = Löveyi en güçlü koz alır; lövede koz yoksa çıkılan rengin en güçlü kâğıdı alır. Löveyi alan, sonraki löveye de çıkar.
how-trick-shown = Kupa ası çıkıldı, ardından onlu geldi. Küçük bir koz ikisini de alır: 21 puan.
how-together = Bire karşı iki
how-together-told = Diğer iki oyuncunun löveleri birlikte sayılır. Löveyi ortağının aldığını gören çok puan verir, ihalecinin aldığını gören az.
how-together-shown = İhaleci dokuzluyla çıktı, ortağınız as ile aldı. Siz onluyu eklersiniz: ikinize 21 puan.
how-win = Ne kazanılır
how-win-told = İhaleci 61 puan ve üstüyle kazanır; 60-60 biterse diğerleri kazanmış olur. Sonuç ne kadar açıksa ödeme o kadar yüksektir.
how-all-pass = Herkes pas derse
# $all-pass and $settlement are the league’s rules, $stake is a number of stakes.
how-all-pass-told = { $all-pass ->
    [table] Masa eli oynanır: ihaleci yoktur, herkes kendine oynar. { $settlement ->
        [fewest_tricks_collects] En az löveyi alana diğerlerinin her biri { $stake } fiş öder.
        [most_points_pays] En çok puanı alan, diğerlerinin her birine { $stake } fiş öder.
       *[most_tricks_pays] En çok löveyi alan, diğerlerinin her birine { $stake } fiş öder.
    } { table-tie }
    [pool] El iptal edilir ve bir pot açılır; potu, bundan sonra kazanan ilk ihaleci alır.
   *[redeal] El iptal edilir, kâğıtlar yeniden dağıtılır.
}
how-pools-told = Potlar vardır: kaybeden ihaleci bir pot açar, kazanan ihaleci bir pot alır.
how-stakes-note = İhalecinin diğerlerinin her birinden aldığı fişler, ihalecinin puanına göre.
how-now = Ve şimdi
how-now-told = Masa hangi kâğıtların oynanabileceğini gösterir, isterseniz ipucu verir, her elden sonra da neyin daha iyi olabileceğini söyler.
how-watch = Bir el izle
how-play = Bir el oyna
how-every-rule = Bu ligin bütün kuralları
