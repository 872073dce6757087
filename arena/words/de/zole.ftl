### How Zole is played, for somebody who does not know it: the page /zole of a site.
###
### Not yet read over by a native player. Terms: those of table.ftl; Fehlfarben (plain suits): the word of
### Doppelkopf, which has the same trumps.

how-title = Wie man Zole spielt
how-lead = Zole ist das Kartenspiel Lettlands: drei am Tisch, einer allein gegen zwei. Ein Spiel dauert zwei Minuten, die Regeln fünf.
how-as-here = So spielt die Liga dieser Website; anderswo ist manches anders.
learn-in-minutes = In fünf Minuten lernen

how-deal = Das Geben
how-deal-told = Es gibt 26 Karten: in Kreuz, Pik und Herz Neun bis Ass, dazu alle acht Karo. Drei Spieler bekommen je acht. Die beiden übrigen liegen verdeckt: der <b>Talon</b>.
how-deal-shown = Vorhand sitzt links vom Geber, sagt zuerst an und spielt zum ersten Stich aus.
# $players is 4 or 5.
how-sits-out = { $players ->
    [4] An den Tischen dieser Liga sitzen vier: Wer gibt, setzt aus.
   *[5] An den Tischen dieser Liga sitzen fünf: In jedem Spiel setzen der Geber und noch einer aus.
}
how-trumps = Vierzehn Trümpfe
how-trumps-told = Alle Damen, alle Buben und alle Karo sind Trumpf. Sie sind eine einzige Farbe, und jeder Trumpf sticht jede Karte, die keiner ist.
how-trumps-shown = Vom stärksten bis zum schwächsten: Nichts sticht die Kreuz-Dame.
how-suits = Drei Fehlfarben
how-suits-told = In Kreuz, Pik und Herz ist die Reihenfolge Ass, Zehn, König, Neun. Die Zehn ist stärker als der König.
how-suits-shown = Vier Karten in jeder Fehlfarbe.
how-points = 120 Augen
how-points-told = Wenn jemand allein spielt, zählt, was in den Stichen liegt, die man macht, und nicht, wie viele es sind.
how-points-shown = Ein Ass zählt 11, eine Zehn 10, ein König 4, eine Dame 3, ein Bube 2; Neun, Acht und Sieben zählen nichts.
how-auction = Wer allein spielt
# $ranked is "yes" where the highest bid plays.
how-auction-told = Von Vorhand an sagt jeder einmal, ob er spielt oder passt. { $ranked ->
    [yes] Wer am höchsten ansagt, spielt
   *[no] Wer als Erster nicht passt, spielt
}: als <b>Alleinspieler</b> gegen die beiden anderen, die zusammen spielen.
how-auction-shown = Ein Blatt zum Spielen: fünf Trümpfe, darunter zwei Damen, und ein Ass.
how-talon = Der Talon
how-talon-told = Im Normalspiel nimmt der Alleinspieler den Talon und drückt dann zwei der zehn Karten. Ihre Augen zählen für ihn.
how-talon-shown = Die beiden angehobenen Karten werden gedrückt: Die Augen der Zehn sind sicher, und Kreuz kann von nun an mit Trumpf gestochen werden.
how-solo = Zole
how-solo-told = In der Zole, die wie das ganze Spiel heißt, spielt der Alleinspieler ohne den Talon: Dessen Augen zählen für die anderen. Sie bringt mehr.
how-solo-shown = Ein Blatt für eine Zole: die stärksten Trümpfe und ein Ass.
how-small-solo-told = In der Kleinen Zole gewinnt der Alleinspieler, wenn er gar keinen Stich macht.
how-blind-told = Eine Blinde Zole sagt man an, bevor man seine Karten sieht; sie bringt am meisten.
how-follow = Bedienen
how-follow-told = Wer ausspielt, darf jede Karte spielen. Die anderen bedienen: mit einer Karte der angespielten Farbe oder, wenn Trumpf angespielt ist, mit einem Trumpf. Wer das nicht kann, darf alles spielen, auch Trumpf.
how-follow-shown = Pik-König ist angespielt: Nur die beiden hellen Karten dürfen gespielt werden. Die Pik-Dame ist Trumpf, nicht Pik.
how-trick = Wer den Stich macht
how-trick-told = Der stärkste Trumpf macht den Stich; liegt keiner darin, die stärkste Karte der angespielten Farbe. Wer ihn macht, spielt zum nächsten aus.
how-trick-shown = Herz-Ass wurde angespielt, die Zehn folgte. Ein kleiner Trumpf nimmt beide: 21 Augen.
how-together = Zwei gegen einen
how-together-told = Die beiden anderen zählen ihre Stiche zusammen. Wer sieht, dass der Partner den Stich macht, legt viele Augen hinein; wer sieht, dass ihn der Alleinspieler macht, wenige.
how-together-shown = Der Alleinspieler hat die Neun ausgespielt, dein Partner hat mit dem Ass übernommen. Du legst die Zehn dazu: 21 Augen für euch beide.
how-win = Was man gewinnt
how-win-told = Der Alleinspieler gewinnt mit 61 oder mehr Augen; bei 60 zu 60 haben die anderen gewonnen. Je klarer es war, desto mehr bringt es.
how-all-pass = Wenn alle passen
# $all-pass and $settlement are the league’s rules, $stake is a number of stakes.
how-all-pass-told = { $all-pass ->
    [table] Dann wird ein Ramsch gespielt: jeder für sich, ohne Alleinspieler. { $settlement ->
        [fewest_tricks_collects] Wer die wenigsten Stiche macht, bekommt von allen anderen je { $stake ->
            [one] { $stake } Spielpunkt
           *[other] { $stake } Spielpunkte
        }.
        [most_points_pays] Wer die meisten Augen macht, zahlt allen anderen je { $stake ->
            [one] { $stake } Spielpunkt
           *[other] { $stake } Spielpunkte
        }.
       *[most_tricks_pays] Wer die meisten Stiche macht, zahlt allen anderen je { $stake ->
            [one] { $stake } Spielpunkt
           *[other] { $stake } Spielpunkte
        }.
    } { table-tie }
    [pool] Die Karten werden zusammengeworfen, und ein Topf wird aufgemacht: Ihn bekommt der nächste Alleinspieler, der gewinnt.
   *[redeal] Die Karten werden zusammengeworfen und neu gegeben.
}
how-pools-told = Es gibt Töpfe: Ein Alleinspieler, der verliert, macht einen auf, und einer, der gewinnt, bekommt einen.
how-stakes-note = Spielpunkte für den Alleinspieler von jedem der anderen, je nach seinen Augen.
how-now = Und jetzt
how-now-told = Der Tisch zeigt, welche Karten gespielt werden dürfen, gibt dir einen Tipp, wenn du willst, und sagt nach jedem Spiel, was besser gewesen wäre.
how-watch = Bei einem Spiel zuschauen
how-play = Selbst spielen
how-every-rule = Alle Regeln dieser Liga
