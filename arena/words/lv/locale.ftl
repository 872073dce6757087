# From CLDR: what the language calls itself, its signs and its dates. A test compares them.
language = Latviešu
decimal-sign = ,
group-sign = { "\u00A0" }
listed = { $before } un { $last }
day-and-time = { $day }. { short-month }, { $time }
short-month = { $month ->
    [1] janv.
    [2] febr.
    [3] marts
    [4] apr.
    [5] maijs
    [6] jūn.
    [7] jūl.
    [8] aug.
    [9] sept.
    [10] okt.
    [11] nov.
   *[12] dec.
}
date = { $year }. gada { $day }. { month }
month = { $month ->
    [1] janvāris
    [2] februāris
    [3] marts
    [4] aprīlis
    [5] maijs
    [6] jūnijs
    [7] jūlijs
    [8] augusts
    [9] septembris
    [10] oktobris
    [11] novembris
   *[12] decembris
}
