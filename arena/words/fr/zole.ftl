### How Zole is played, for somebody who does not know it: the page /zole of a site.
###
### Not yet read over by a native player. Terms: those of table.ftl; la zole (feminine): French Wikipedia.

how-title = Comment on joue à la zole
how-lead = La zole est le jeu de cartes de la Lettonie : trois à la table, un seul contre deux. Une donne prend deux minutes, les règles cinq.
how-as-here = C’est ainsi que joue la ligue de ce site ; ailleurs, certaines choses changent.
learn-in-minutes = Apprendre en cinq minutes

how-deal = La donne
how-deal-told = Il y a 26 cartes : du neuf à l’as à trèfle, à pique et à cœur, et les huit carreaux. Trois joueurs en reçoivent huit chacun. Les deux qui restent sont posées face cachée : c’est le <b>talon</b>.
how-deal-shown = Le joueur assis à gauche du donneur parle en premier et entame le premier pli.
# $players is 4 or 5.
how-sits-out = { $players ->
    [4] On est quatre aux tables de cette ligue : le donneur ne joue pas sa donne.
   *[5] On est cinq aux tables de cette ligue : à chaque donne, le donneur et un autre ne jouent pas.
}
how-trumps = Quatorze atouts
how-trumps-told = Toutes les dames, tous les valets et tous les carreaux sont atouts. Ils forment une seule couleur, et chacun d’eux prend toute carte qui n’est pas un atout.
how-trumps-shown = Du plus fort au plus faible : rien ne prend la dame de trèfle.
how-suits = Les trois autres couleurs
how-suits-told = À trèfle, à pique et à cœur, l’ordre est as, dix, roi, neuf. Le dix est plus fort que le roi.
how-suits-shown = Quatre cartes dans chacune de ces couleurs.
how-points = 120 points
how-points-told = Quand quelqu’un joue seul, ce qui compte, c’est ce que contiennent les plis qu’on fait, et non leur nombre.
how-points-shown = Un as compte 11, un dix 10, un roi 4, une dame 3, un valet 2 ; le neuf, le huit et le sept ne comptent rien.
how-auction = Qui joue seul
# $ranked is "yes" where the highest bid plays.
how-auction-told = En commençant à gauche du donneur, chacun dit une fois s’il joue ou s’il passe. { $ranked ->
    [yes] Qui annonce le plus haut joue
   *[no] Le premier qui ne passe pas joue
} : c’est le <b>preneur</b>, seul contre les deux autres, qui jouent ensemble.
how-auction-shown = Une main pour prendre : cinq atouts, dont deux dames, et un as.
how-talon = Le talon
how-talon-told = Dans un contrat ordinaire, le preneur prend le talon, puis écarte deux des dix cartes. Leurs points comptent pour lui.
how-talon-shown = Les deux cartes surélevées sont écartées : les points du dix sont à l’abri, et on peut désormais couper à trèfle.
how-solo = La zole
how-solo-told = Dans la zole, qui porte le nom du jeu, le preneur joue sans le talon, dont les points comptent pour les autres. Cela rapporte davantage.
how-solo-shown = Une main pour une zole : les plus forts atouts, et un as.
how-small-solo-told = Dans une petite zole, le preneur gagne s’il ne fait aucun pli.
how-blind-told = On annonce une zole à l’aveugle avant de voir ses cartes, et c’est ce qui rapporte le plus.
how-follow = Fournir
how-follow-told = Qui entame peut jouer n’importe quelle carte. Les autres fournissent : une carte de la couleur demandée, ou un atout si c’est atout qui est demandé. Qui n’en a pas peut jouer n’importe quoi, atout compris.
how-follow-shown = On a entamé avec le roi de pique : seules les deux cartes claires peuvent être jouées. La dame de pique est un atout, pas un pique.
how-trick = Qui fait le pli
how-trick-told = L’atout le plus fort fait le pli ; s’il n’y en a pas, c’est la carte la plus forte de la couleur demandée. Qui fait le pli entame le suivant.
how-trick-shown = On a entamé avec l’as de cœur, et le dix a suivi. Un petit atout prend les deux : 21 points.
how-together = Deux contre un
how-together-told = Les deux autres comptent leurs plis ensemble. Qui voit son partenaire faire le pli y met beaucoup de points ; qui voit le preneur le faire en met peu.
how-together-shown = Le preneur a entamé avec le neuf, votre partenaire a pris avec l’as. Vous ajoutez le dix : 21 points pour vous deux.
how-win = Ce qu’on gagne
how-win-told = Le preneur gagne avec 61 points ou plus ; à 60 partout, ce sont les autres qui gagnent. Plus c’est net, plus cela rapporte.
how-all-pass = Si tout le monde passe
# $all-pass and $settlement are the league’s rules, $stake is a number of stakes.
how-all-pass-told = { $all-pass ->
    [table] On joue chacun pour soi, sans preneur. { $settlement ->
        [fewest_tricks_collects] Qui fait le moins de plis reçoit { $stake ->
            [one] { $stake } jeton
            [many] { $stake } de jetons
           *[other] { $stake } jetons
        } de chacun des autres.
        [most_points_pays] Qui fait le plus de points paie { $stake ->
            [one] { $stake } jeton
            [many] { $stake } de jetons
           *[other] { $stake } jetons
        } à chacun des autres.
       *[most_tricks_pays] Qui fait le plus de plis paie { $stake ->
            [one] { $stake } jeton
            [many] { $stake } de jetons
           *[other] { $stake } jetons
        } à chacun des autres.
    } { table-tie }
    [pool] La donne est annulée, et une cagnotte est ouverte : le prochain preneur qui gagne la reçoit.
   *[redeal] La donne est annulée, et on redistribue.
}
how-pools-told = Il y a des cagnottes : un preneur qui perd en ouvre une, un preneur qui gagne en reçoit une.
how-stakes-note = Jetons que le preneur reçoit de chacun des autres, selon les points du preneur.
how-now = Et maintenant
how-now-told = La table montre quelles cartes peuvent être jouées, donne un conseil si vous en demandez un, et dit après chaque donne ce qui aurait été mieux.
how-watch = Regarder une donne
how-play = Jouer une donne
how-every-rule = Toutes les règles de cette ligue
