### What the pages say that a site alone has: for guests and authors, and where something went wrong.
###
### Not yet read over by a native player.

challenge-result = { $count ->
    [zero] { $made } pēc { $count } izspēlēm
    [one] { $made } pēc { $count } izspēles
   *[other] { $made } pēc { $count } izspēlēm
}
replay-being-made = Atskaņojums top.
