# From CLDR: what the language calls itself, its signs and its dates. A test compares them.
language = Français
decimal-sign = ,
group-sign = { "\u202F" }
listed = { $before } et { $last }
day-and-time = { $day } { short-month }, { $time }
short-month = { $month ->
    [1] janv.
    [2] févr.
    [3] mars
    [4] avr.
    [5] mai
    [6] juin
    [7] juil.
    [8] août
    [9] sept.
    [10] oct.
    [11] nov.
   *[12] déc.
}
date = { $day } { month } { $year }
month = { $month ->
    [1] janvier
    [2] février
    [3] mars
    [4] avril
    [5] mai
    [6] juin
    [7] juillet
    [8] août
    [9] septembre
    [10] octobre
    [11] novembre
   *[12] décembre
}
