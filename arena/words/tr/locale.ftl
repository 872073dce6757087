# From CLDR: what the language calls itself, its signs and its dates. A test compares them.
language = Türkçe
decimal-sign = ,
group-sign = .
listed = { $before } ve { $last }
day-and-time = { $day } { short-month }, { $time }
short-month = { $month ->
    [1] Oca
    [2] Şub
    [3] Mar
    [4] Nis
    [5] May
    [6] Haz
    [7] Tem
    [8] Ağu
    [9] Eyl
    [10] Eki
    [11] Kas
   *[12] Ara
}
date = { $day } { month } { $year }
month = { $month ->
    [1] Ocak
    [2] Şubat
    [3] Mart
    [4] Nisan
    [5] Mayıs
    [6] Haziran
    [7] Temmuz
    [8] Ağustos
    [9] Eylül
    [10] Ekim
    [11] Kasım
   *[12] Aralık
}
