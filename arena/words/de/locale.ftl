# From CLDR: what the language calls itself, its signs and its dates. A test compares them.
language = Deutsch
decimal-sign = ,
group-sign = .
listed = { $before } und { $last }
day-and-time = { $day }. { short-month }, { $time }
short-month = { $month ->
    [1] Jan.
    [2] Feb.
    [3] März
    [4] Apr.
    [5] Mai
    [6] Juni
    [7] Juli
    [8] Aug.
    [9] Sept.
    [10] Okt.
    [11] Nov.
   *[12] Dez.
}
date = { $day }. { month } { $year }
month = { $month ->
    [1] Januar
    [2] Februar
    [3] März
    [4] April
    [5] Mai
    [6] Juni
    [7] Juli
    [8] August
    [9] September
    [10] Oktober
    [11] November
   *[12] Dezember
}
