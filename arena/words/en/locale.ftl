# From CLDR: what the language calls itself, its signs and its dates. A test compares them.
language = English
decimal-sign = .
group-sign = ,
listed = { $before } and { $last }
day-and-time = { $day } { short-month }, { $time }
short-month = { $month ->
    [1] Jan
    [2] Feb
    [3] Mar
    [4] Apr
    [5] May
    [6] Jun
    [7] Jul
    [8] Aug
    [9] Sept
    [10] Oct
    [11] Nov
   *[12] Dec
}
date = { $day } { month } { $year }
month = { $month ->
    [1] January
    [2] February
    [3] March
    [4] April
    [5] May
    [6] June
    [7] July
    [8] August
    [9] September
    [10] October
    [11] November
   *[12] December
}
