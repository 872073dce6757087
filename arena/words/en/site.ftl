### What the pages say that a site alone has: for guests and authors, and where something went wrong.

challenge-result = { $count ->
    [one] { $made } in { $count } game
   *[other] { $made } in { $count } games
}
replay-being-made = The replay is being made.
