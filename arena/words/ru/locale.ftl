# From CLDR: what the language calls itself, its signs and its dates. A test compares them.
language = Русский
decimal-sign = ,
group-sign = { "\u00A0" }
listed = { $before } и { $last }
day-and-time = { $day } { short-month }, { $time }
short-month = { $month ->
    [1] янв.
    [2] февр.
    [3] мар.
    [4] апр.
    [5] мая
    [6] июн.
    [7] июл.
    [8] авг.
    [9] сент.
    [10] окт.
    [11] нояб.
   *[12] дек.
}
date = { $day } { month } { $year }{ "\u202F" }г.
month = { $month ->
    [1] января
    [2] февраля
    [3] марта
    [4] апреля
    [5] мая
    [6] июня
    [7] июля
    [8] августа
    [9] сентября
    [10] октября
    [11] ноября
   *[12] декабря
}
