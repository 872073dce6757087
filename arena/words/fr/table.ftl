### What people read at a table, in a replay and in a terminal.
###
### $who says who does something: "you", "talon", or "other" with a $name. { CARD($card) } is a card,
### in the case that is asked for: { CARD($card, case: "accusative") } is made by the message card.

## Cards

suit = { $suit ->
    [clubs] trèfle
    [spades] pique
    [hearts] cœur
   *[diamonds] carreau
}
rank = { $case ->
    [definite] { $rank ->
        [ace] l’as
        [king] le roi
        [queen] la dame
        [jack] le valet
        [ten] le dix
        [nine] le neuf
        [eight] le huit
       *[seven] le sept
    }
   *[nominative] { $rank ->
        [ace] as
        [king] roi
        [queen] dame
        [jack] valet
        [ten] dix
        [nine] neuf
        [eight] huit
       *[seven] sept
    }
}
card = { rank } de { suit }
# What stands in a card's corner.
index = { $rank ->
    [ace] A
    [king] R
    [queen] D
    [jack] V
    [ten] 10
    [nine] 9
    [eight] 8
   *[seven] 7
}
card-face-down = une carte face cachée

## Who, and where

place = { $place ->
    [you] Vous
    [left] Gauche
    [right] Droite
    [across] En face
    [far-left] En face à gauche
   *[far-right] En face à droite
}
# Two bots have the same name.
name-and-place = { $name } ({ $place ->
    [left] à gauche
    [right] à droite
    [across] en face
    [far-left] en face à gauche
   *[far-right] en face à droite
})
# The name of a player within a sentence.
name = { $who ->
    [you] vous
    [talon] le talon
   *[other] { $name }
}

## Games

game = { $game ->
    [ordinary] ordinaire
    [solo] zole
    [small_solo] petite zole
    [blind] zole à l’aveugle
    [table] chacun pour soi
   *[thrown_in] donne annulée
}
a-game = { $game ->
    [ordinary] un contrat ordinaire
    [solo] une zole
    [small_solo] une petite zole
    [blind] une zole à l’aveugle
    [table] chacun pour soi
   *[thrown_in] une donne annulée
}
no-game = aucun contrat
# What somebody said in the auction, as it stands beside the name.
word = { $word ->
    [pass] passe
    [ordinary] prend
    [solo] zole
    [small_solo] petite zole
    [blind] zole à l’aveugle
    [take] prend le talon
   *[give] laisse le talon
}

# An answer in a list of moves.
answer-word = { $word ->
    [pass] Passer
    [ordinary] Prendre
    [solo] Zole
    [small_solo] Petite zole
    [blind] Zole à l’aveugle
    [take] Prendre le talon
    [give] Laisser le talon
    [yes] oui
    [no] non
   *[offer] Proposer d’abandonner
}

## What happens

points = { $count ->
    [one] { $count } point
    [many] { $count } de points
   *[other] { $count } points
}
tricks = { $count ->
    [one] { $count } pli
    [many] { $count } de plis
   *[other] { $count } plis
}
cards = { $count ->
    [one] { $count } carte
    [many] { $count } de cartes
   *[other] { $count } cartes
}
stakes = { $count ->
    [one] { $amount } jeton
    [many] { $amount } de jetons
   *[other] { $amount } jetons
}
deal-number = donne { $deal }
the-days-deal = Donne du jour
played-again = Rejouée
dealing = { $who ->
    [you] Vous distribuez.
   *[other] { $name } distribue.
}
you-sit-out = Vous ne jouez pas cette donne.
forehand-is = { $who ->
    [you] Vous parlez en premier.
   *[other] { $name } parle en premier.
}
deal-begins = Donne { $deal }.
blind-declared = { $who ->
    [you] Vous annoncez une zole à l’aveugle.
   *[other] { $name } annonce une zole à l’aveugle.
}
blind-not-declared = { $who ->
    [you] Vous regardez vos cartes.
   *[other] { $name } regarde ses cartes.
}
passes = { $who ->
    [you] Vous passez.
   *[other] { $name } passe.
}
bids = { $who ->
    [you] { $bid ->
        [ordinary] Vous prenez.
        [solo] Vous annoncez une zole.
        [small_solo] Vous annoncez une petite zole.
       *[blind] Vous annoncez une zole à l’aveugle.
    }
   *[other] { $bid ->
        [ordinary] { $name } prend.
        [solo] { $name } annonce une zole.
        [small_solo] { $name } annonce une petite zole.
       *[blind] { $name } annonce une zole à l’aveugle.
    }
}
talon-taken = { $who ->
    [you] Vous prenez le talon.
   *[other] { $name } prend le talon.
}
talon-given = { $who ->
    [you] Vous laissez le talon aux autres.
   *[other] { $name } laisse le talon aux autres.
}
plays-against = { $who ->
    [you] Vous êtes le preneur : vous jouez { a-game }.
   *[other] { $name } est le preneur et joue { a-game }.
}
all-pass-table = Tout le monde passe : chacun pour soi. Faites le moins de plis possible.
all-pass-thrown-in = Tout le monde passe : la donne est annulée.
plays-card = { $who ->
    [you] Vous jouez { CARD($card, case: "definite") }.
    [talon] Le talon joue { CARD($card, case: "definite") }.
   *[other] { $name } joue { CARD($card, case: "definite") }.
}
lays-aside = { $who ->
    [you] Vous écartez { CARD($card, case: "definite") } et { CARD($second, case: "definite") }.
   *[other] { $name } écarte { CARD($card, case: "definite") } et { CARD($second, case: "definite") }.
}
# $count are the points of the trick, $trick is its number.
trick-taken = { $who ->
    [you] Pli { $trick } pour vous, { points }.
    [talon] Pli { $trick } pour le talon, { points }.
   *[other] Pli { $trick } pour { $name }, { points }.
}
gives-up = { $who ->
    [you] Vous abandonnez.
   *[other] { $name } abandonne.
}
offers = { $who ->
    [you] Vous proposez d’abandonner.
   *[other] { $name } propose d’abandonner.
}
offer-accepted = Le preneur accepte.
offer-refused = Le preneur continue.
# $fault and $detail are the arena's own words.
fault-of = { $who ->
    [you] Faute de votre part : { $fault }, { $detail }.
   *[other] Faute commise par { $name } : { $fault }, { $detail }.
}
plays-on = { $who ->
    [you] Vous continuez.
   *[other] { $name } continue.
}

## At the table

table = La table
declarer = preneur
dealer = donneur
forehand = parle en premier
sits-out = ne joue pas
bot-stands-in = un bot joue
bot-stood-in = Un bot a joué pour vous.
defender = défenseur
talon = talon
talon-of-defenders = talon, pour la défense
hands-as-dealt = mains à la donne
laid-aside = écart
the-trick = Le pli
led = entame
you-lead-here = vous entamez
your-card-here = votre carte
the-auction = Les enchères
table-game = Chacun pour soi
table-goal = { $settlement ->
    [most_points_pays] Chacun pour soi : le plus de points perd
    [fewest_tricks_collects] Chacun pour soi : le moins de plis gagne
   *[other] Chacun pour soi : le plus de plis, puis de points, perd
}
thrown-in = Donne annulée
declares-game = preneur : { game }
game-declared = { $who ->
    [you] { $game ->
        [ordinary] Contrat ordinaire : vous prenez
        [solo] Zole : vous prenez
        [small_solo] Petite zole : vous prenez
       *[blind] Zole à l’aveugle : vous prenez
    }
   *[other] { $game ->
        [ordinary] Contrat ordinaire : { $name } prend
        [solo] Zole : { $name } prend
        [small_solo] Petite zole : { $name } prend
       *[blind] Zole à l’aveugle : { $name } prend
    }
}
# Points of one side, and how many it needs; $more is "yes" where cards are not seen that count for it.
declarer-has = { $who ->
    [you] Vous
   *[other] { $name }
} : { $count }{ $more ->
    [yes] +
   *[no] { "" }
} { $reached ->
    [yes] ✓
   *[no] sur 61
}
needs-points = { $count ->
    [0] { $name } a ses 61 points.
    [one] Il manque { $count } point à { $name }.
    [many] Il manque { $count } de points à { $name }.
   *[other] Il manque { $count } points à { $name }.
}
side-has = { $side ->
    [others] Défense
    [yours] Votre camp
   *[defenders] Défense
} : { $count }{ $more ->
    [yes] +
   *[no] { "" }
} { $reached ->
    [yes] ✓
   *[no] sur 60
}
on-the-table = { $count } sur la table
may-take-none = { $who ->
    [you] Vous ne devez faire aucun pli
   *[other] { $name } ne doit faire aucun pli
}
talon-has = talon : { points }
pools = cagnottes : { $pools }
pools-collective = { $count ->
    [one] { $count } collective
   *[other] { $count } collectives
}

## Questions

your-turn-to-bid = À vous de parler.
ask-blind = Annoncer une zole à l’aveugle, avant de voir vos cartes ?
ask-talon = Prendre le talon et écarter deux cartes, ou le laisser à la défense et jouer une zole ?
ask-discard = Vous avez le talon. Choisissez deux cartes à écarter.
ask-offer = { $name } propose d’abandonner : vous gagneriez comme avec 61 à 90 points. Acceptez-vous ?
ask-lead = À vous d’entamer, avec la carte de votre choix.
ask-card = À vous : { $who ->
    [talon] le talon
   *[other] { $name }
} a entamé avec { CARD($card, case: "definite") }{ $trump ->
    [yes] , un atout
   *[no] { "" }
}.
answer-blind = { $blind ->
    [yes] Zole à l’aveugle
   *[no] Voir les cartes
}
# The buttons of an auction; $next is "yes" where the talon is decided afterwards.
answer-bid = { $bid ->
    [pass] Passer
    [ordinary] Prendre
    [solo] Zole
    [small_solo] Petite zole
   *[blind] Zole à l’aveugle
}
# What a bid means, below it.
answer-bid-more = { $bid ->
    [ordinary] { $next ->
        [yes] le talon se décide ensuite
       *[no] avec le talon
    }
    [solo] sans le talon
   *[small_solo] ne faire aucun pli
}
# Before two rows of stakes: what a game pays, and what it costs.
tile-wins = gain { $range }
tile-loses = perte { $range }
tiles-pay = Vos jetons, de tous les adversaires ensemble
answer-talon = { $choice ->
    [take] Prendre le talon
   *[give] Le laisser et jouer une zole
}
answer-play-on = Continuer
answer-give-up = Abandonner
answer-accept = Accepter
answer-offer = Proposer d’abandonner
# On a narrow window, and once it was pressed.
answer-offer-short = Céder la donne
play-rest = Jouer le reste
play-rest-short = Reste
really-offer = Vraiment ? { $stakes }
# What conceding means, while it is pressed again.
offer-binds = Le preneur peut refuser. Votre offre engage aussi votre partenaire.
conceding-pays = Vous payez comme avec 31 à 60 points.
lay-aside = Écarter { $cards }
choose-more = { $count ->
    [one] Encore { $count } carte à choisir
    [many] Encore { $count } de cartes à choisir
   *[other] Encore { $count } cartes à choisir
}
why-not-trumps = Atout demandé, et vous en avez : les dames, les valets et les carreaux sont atouts.
why-not-suit = { $suit ->
    [clubs] Trèfle
    [spades] Pique
   *[hearts] Cœur
} demandé, et vous en avez.{ $trump ->
    [yes] {" "}Attention : { CARD($card, case: "definite") } est un atout.
   *[no] { "" }
}
refused = Réponse refusée : { $why }. Choisissez à nouveau.
on-at-once = { $touch ->
    [yes] Touchez pour enchaîner.
   *[no] Cliquez ou appuyez sur Espace pour enchaîner.
}
other-tab-asked = Répondez dans l’autre onglet.
waiting-for = On attend { $name }…
waiting-for-offer = Votre proposition : on attend { $name }…
invite-friends = Inviter vos amis
invite-helps = Chaque lien ouvre une place. La première donne commence dès que tout le monde est là.
waiting-for-others = On attend les autres…
waiting-for-deal = On attend la première donne…
thinking = Réflexion…
hint-is = Conseil : { $answer }.

## The table's page

you = Vous { $stakes }
your-turn-title = ● À vous – Zole
settings = Réglages
keys = Raccourcis
help = Aide
trumps = Atouts
trumps-elsewhere = { $count ->
    [one] { $count } atout n’est ni joué ni dans votre main.
    [many] { $count } d’atouts ne sont ni joués ni dans votre main.
   *[other] { $count } atouts ne sont ni joués ni dans votre main.
}
trumps-frames = Encadrées : les vôtres. Grises : déjà tombées.
# Of a card, in the list of all: what has become of it.
card-gone = , jouée ou écartée
card-yours = , à vous
help-trumps = Atouts, du plus fort au plus faible
help-trumps-order = Tous les atouts forment une couleur : les dames, puis les valets, dans l’ordre trèfle, pique, cœur, carreau ; puis les autres carreaux.
help-suits = Autres couleurs, de la plus forte à la plus faible
help-points = Points des cartes
help-points-each = as 11, dix 10, roi 4, dame 3, valet 2, autres 0 ; 120 en tout
help-terms = Mots et signes
means-declarer = joue seul et gagne à partir de 61 des 120 points. Les autres forment la défense.
means-forehand = à gauche du donneur, ce joueur annonce en premier et entame le premier pli. La donne passe à gauche.
means-trick = une carte de chacun. Qui le peut fournit la couleur demandée ; sinon, toute carte est permise. Le plus fort atout le prend, sinon la plus forte carte de la couleur demandée ; qui le fait entame le suivant.
means-talon = les deux cartes qui restent après la distribution. Dans un contrat ordinaire, le preneur les prend ; dans une zole, elles comptent pour la défense.{ $turned ->
    [yes] {" "}Quand on joue chacun pour soi, on les retourne aux deux premiers plis.
   *[no] {" "}Quand on joue chacun pour soi, elles ne comptent pour personne.
}
means-play = l’annonce de jouer seul avec le talon : deux cartes sont écartées, et 61 points gagnent.
means-zole = l’annonce de jouer seul sans le talon, pour plus de jetons.
means-table-game = tous ont passé : chacun joue pour soi. Qui fait le plus de plis perd ; à égalité, qui a le plus de points.
means-stakes = ce que rapporte ou coûte une donne, additionné sur toute la partie. Les points ne décident que de la donne.
means-concede = renoncer à la donne, si les règles le permettent. Le preneur le peut jusqu’à la fin du deuxième pli et paie comme avec 31 à 60 points. Chaque défenseur peut le proposer une fois, à son tour ; le preneur accepte et reçoit comme avec 61 à 90, ou il continue.
means-hint = la réponse qui a le mieux réussi dans de nombreuses donnes compatibles avec ce que vous avez vu, jouées comme si tous voyaient toutes les cartes.
ring = Bord jaune
means-ring = vous pouvez jouer cette carte. En pointillé, c’est un conseil.
edge = Bord coloré
means-edge = la carte qui prend le pli pour l’instant.
plus = 0+
means-plus = les points déjà faits, plus ceux de deux cartes que l’on ne voit pas : l’écart du preneur ou, à la zole, le talon, qui compte pour la défense.
# The figures of docs/strategy.md, roughly.
help-thumb = Conseils
thumb-play = avec cinq atouts, dont deux dames, et un as d’une autre couleur, ou avec six atouts, dont deux dames. Si les deux autres ont passé, moins suffit : eux aussi sont faibles.
thumb-zole = avec sept atouts et un as d’une autre couleur, avec six atouts et deux de ces as, ou avec huit atouts.
thumb-declarer = écarte deux cartes pour n’avoir plus rien d’une couleur : une carte isolée, ou un dix avec son roi ; garde les as et les atouts. Entame de son plus fort atout tant qu’aucune carte ne le prend, puis d’un as.
thumb-defender = entame une autre couleur, pas atout. Donne un as ou un dix au pli de son partenaire quand le preneur y a déjà joué, pas avant.
help-rules = Comment jouer à la zole
leave = Quitter
close = Fermer
stay = Rester
connecting = Connexion…
your-cards = Vos cartes
nearest-hand = La main la plus proche
what-is-asked = Vos réponses
last-trick = Dernier pli
hint = Conseil
give-up-later = Vous abandonnerez avant la prochaine entame.
give-up-not = Ne pas abandonner
another-tab = Vous jouez cette place dans un autre onglet ou une autre fenêtre ; ici, on ne fait que suivre.
play-here = Jouer ici
connection-lost = La connexion est perdue. Nouvelle tentative…
answered-already = Cette question a déjà reçu une réponse, ou le temps était écoulé.
answer-lost = La réponse n’est pas encore arrivée. Elle est renvoyée jusqu’à ce qu’elle arrive.
leaving-lost = Le départ n’a pas pu être transmis. Réessayez.
site-silent = Le site ne répond pas. Réessayez.
not-taken = Le serveur ne l’a pas accepté.
your-time = Votre temps
seconds-left = { $count ->
    [one] { $count } seconde restante
    [many] { $count } de secondes restantes
   *[other] { $count } secondes restantes
}
leave-title = Quitter la partie ?
replay-title = Rejouer cela ?
leave-for-replay = Cela se joue à une nouvelle table. Cette partie vous attend.
leave-retry = La donne rejouée s’arrête ici.
leave-guest = Elle attend un quart d’heure pendant que vous regardez ailleurs, et aussi longtemps que vous jouez la donne du jour. Si vous la quittez, vous ne pourrez pas y revenir.
look-around = Regarder ailleurs
leave-friend = Un bot continue à votre place tant qu’un ami reste. Cette page vous y ramène.
leave-person = Vous ne pourrez pas revenir : votre place perd cette donne, puis chaque donne où une réponse lui sera demandée.
skip-title = Sauter la leçon ?
leave-lesson = Vous pourrez la suivre plus tard : à chaque table, l’aide (?) y ramène.
browser-keeps = Ce navigateur garde vos choix.
setting-language = Langue
setting-pace = Les autres jouent
setting-deck = Cartes
setting-sound = Bruit des cartes
choice = { $choice ->
    [briskly] vite
    [calmly] calmement
    [at-once] sans attendre
    [four-colours] quatre couleurs
    [classic] classiques
    [large-index] grands index
    [off] désactivé
   *[on] activé
}
key-move = carte ou réponse précédente ou suivante
key-enter = jouer cette carte, donner cette réponse ; en fin de donne : donne suivante
key-space = enchaîner, pendant que les autres jouent ou qu’un pli reste affiché
key-number = carte ou réponse de ce numéro
key-trumps = les atouts, les points et ce que rapporte un jeu
key-last-trick = revoir le dernier pli, ou revenir au pli en cours
key-hint = un conseil, qui ne coûte rien
key-offer = proposer d’abandonner, en défense, si les règles le permettent
key-give-up = abandonner avant le prochain pli, ou non : côté preneur, si les règles le permettent
key-play-rest = quand la donne est décidée : jouer pour vous les dernières cartes, selon les conseils
key-help = cette aide

## The score sheet

score-sheet = Feuille de marque
total-after = total ensuite
deal = donne
deals-listed = Les donnes
now = à présent
in-the-pools = Dans les cagnottes : { $pools }.
what-happened = Déroulement
this-deal = Cette donne
what-it-pays = Jetons
this-game-pays = Jetons de cette donne
most-points-pay = { $count ->
    [one] Qui fait le plus de points paie { $count } jeton à chacun des autres.
    [many] Qui fait le plus de points paie { $count } de jetons à chacun des autres.
   *[other] Qui fait le plus de points paie { $count } jetons à chacun des autres.
}
table-tie = { $settlement ->
    [fewest_tricks_collects] À égalité de plis, qui a le moins de points est payé.
    [most_points_pays] À égalité de points, qui a le plus de plis paie ; si tout est égal, chacun des deux paie { $stake } au troisième.
   *[most_tricks_pays] À égalité de plis, qui a le plus de points paie ; si tout est égal, chacun des deux paie { $stake } au troisième.
}
declarer-takes = le preneur fait
from-each = par adversaire
level = { $level ->
    [all_tricks] tous les plis
    [ge91] 91 points ou plus
    [ge61] de 61 à 90 points
    [from_31] de 31 à 60 points
    [le30] 30 points ou moins
    [no_tricks] aucun pli
    [made] aucun pli : réussi
   *[lost] un pli : chuté
}
tier-paid = { $level } : { $won ->
    [yes] le preneur reçoit { $count } de chacun
   *[no] le preneur paie { $count } à chacun
}.
most-tricks-pay = { $count ->
    [one] Qui fait le plus de plis paie { $count } jeton à chacun des autres.
    [many] Qui fait le plus de plis paie { $count } de jetons à chacun des autres.
   *[other] Qui fait le plus de plis paie { $count } jetons à chacun des autres.
}
fewest-tricks-win = { $count ->
    [one] Qui fait le moins de plis reçoit { $count } jeton de chacun des autres.
    [many] Qui fait le moins de plis reçoit { $count } de jetons de chacun des autres.
   *[other] Qui fait le moins de plis reçoit { $count } jetons de chacun des autres.
}

## The end of a deal, and of a match

deal-over = La donne est terminée
deal-won = { $count ->
    [one] Vous gagnez { $count } jeton
    [many] Vous gagnez { $count } de jetons
   *[other] Vous gagnez { $count } jetons
}
deal-lost = { $count ->
    [one] Vous perdez { $count } jeton
    [many] Vous perdez { $count } de jetons
   *[other] Vous perdez { $count } jetons
}
deal-even = Ni gain ni perte
deal-sat-out = Vous n’avez pas joué
# What is shown of a deal that is over.
part = { $part ->
    [result] Résultat
    [tricks] Plis
    [review] Analyse
   *[same] Mêmes cartes
}
levels-play = Des bots de tous niveaux jouent ces cartes…
levels-silent = Aucun bot ne peut jouer ces cartes pour l’instant.
same-cards-told = Les mêmes cartes à votre place, jouées une fois par un bot de chaque niveau ; la chance compte aussi :
one-deal-is-luck = Une donne seule tient aussi à la chance : même la meilleure carte peut perdre.
first-time = La première fois : { $amount }.
try-again-here = Réessayer à partir d’ici
play-these-again = Rejouer ces cartes
strength = { $level ->
    [beginner] Débutant
    [club] Joueur de club
    [strong] Joueur fort
   *[master] Maître
}
# $day is a date, $amount stakes with their sign.
day-result = Donne du jour, { $day } : { $amount }{ $with ->
    [points] {" "}avec { points }
   *[nothing] { "" }
}.
day-first = Personne ne l’a jouée avant vous.
day-bots = Les bots avec les mêmes cartes : { $made }.
day-others = Autres joueurs : { $count }. Moins bien : { $less }, pareil : { $same }, mieux : { $more }. À jetons égaux, les points décident.
day-better-than = { $count ->
    [one] Mieux que { $share } % de { $count } autre.
    [many] Mieux que { $share } % de { $count } d’autres.
   *[other] Mieux que { $share } % de { $count } autres.
}
to-the-end = Résultat final
trick-before = Le pli précédent
trick-after = Le pli suivant
next-deal = Donne suivante
what-it-paid = Ce que ça a rapporté
seat = place
in-all = total
looking-for-better = Recherche de meilleures réponses…
what-would-be-better = Meilleures réponses
no-mistake = Aucune erreur manifeste, d’après ce que vous pouviez savoir.
no-clear-mistake = Aucune erreur manifeste. Vous avez bien choisi là où l’enjeu était le plus grand : { $where }.
was-right = { $given } : bien joué.
cards-decided = Si tous avaient vu toutes les cartes, aucune autre de vos cartes n’aurait été meilleure.
in-hindsight = { $where } : si tous avaient vu toutes les cartes, { $better } aurait été mieux.
better = mieux valait { $best } (joué : { $given }) ; gain moyen en jetons : { $loss }.
better-plain = Mieux valait { $best } (joué : { $given }).
close-calls = Mieux, mais de trop peu pour parler de faute :
where-deal = Donne { $deal }
where-trick = Pli { $trick }
ask = { $ask ->
    [blind] à l’aveugle
    [bid] enchère
    [talon] talon
    [discard] écart
    [surrender] abandon
    [offer] proposition
   *[play] carte
}
dearest-moments = Vos erreurs les plus coûteuses
course-of-match = Le score de tous les joueurs après chaque donne
match-over = La partie est terminée
match-place = { $of ->
    [deal] La donne
   *[match] La partie
} est terminée : { $stands ->
    [won] vous avez gagné
    [shared] rang { $place } sur { $players }, à égalité
   *[other] rang { $place } sur { $players }
}.
you-have-left = Vous avez quitté la partie.
come-back = Revenir
back-to-match = Retour à la partie
disqualified = Votre place a cumulé trop de fautes : elle est disqualifiée.
play-again = Rejouer
play-a-match = Jouer une partie
other-bots = D’autres bots
the-standings = Le classement
may-close = Vous pouvez fermer cette page. { $play } lance une autre partie ; { $replay } remontre une partie enregistrée avec { $record }.
this-table = Cette table
bots-play-here = Des bots jouent à cette table : { $names }.{ $day ->
    [yes] { "" }
   *[no] {" "}La partie n’est pas classée.
}
day-same-cards = Donne du jour : tout le monde joue ces cartes aujourd’hui, et la première fois compte.
watch = regarder
friends-may-watch = Vos amis peuvent { $watch } : ils voient ce que toute la table voit, et les mains une fois la donne terminée.
see-it-again = Revoir la partie
see-again-card-by-card = { $link }, carte par carte.
share = { $what ->
    [result] Partager le résultat
    [replay] Partager la partie
   *[link] Partager le lien
}
address-copied = L’adresse est copiée.
the-log = Le journal
log-is-yours = { $link } contient chaque coup sous forme de texte. La partie et le journal sont gardés ici pendant un mois.

## The guided first deals: at most 15 words at a time

coach = Guide
go-on = Suivant
skip = Sauter
learn = Apprendre en cinq minutes
learnt = Vous en savez assez pour jouer
learnt-helps = La table entoure les cartes permises. Le preneur entame de son plus fort atout tant que personne ne le prend, puis d’un as. Les règles simples ont des exceptions : environ une fois sur sept, une autre carte vaut mieux. Un conseil essaie vos cartes dans de nombreuses donnes compatibles avec ce que vous avez vu. À chaque table, l’aide (?) ramène à cette leçon.
learnt-match = Ici, Juris a donné deux fois de suite ; à la table, chacun donne à son tour, vers la gauche. Qui a le plus de jetons après la dernière donne gagne la partie.
start-playing = Jouer
anna = Anna
juris = Juris
coach-welcome = Bienvenue ! Chacun des trois joueurs a huit cartes ; au milieu, deux cartes : le talon.
coach-trick = Un pli : chacun pose une carte, et la plus forte prend les trois.
coach-passed = Chacun peut annoncer jouer seul. Cette fois, personne : le plus de plis perd.
coach-trumps = Dames, valets et carreaux sont les atouts. La plus forte d’abord, les vôtres encadrées.
coach-suits = Trèfle, pique et cœur n’ont que quatre cartes : as, dix, roi, neuf.
coach-lead-low = Évitez les plis : entamez du neuf de pique. Cadre jaune : carte que vous pouvez jouer.
coach-lead-lower = Cette carte risque de faire le pli. Commencez par le neuf de pique.
coach-suit-first = Les atouts font souvent le pli : gardez-les. Entamez du neuf de pique.
coach-no-ace = Seul un atout prend un as. Commencez par le petit neuf.
coach-highest = Le dix d’Anna est le plus fort pique : elle fait ce pli et entame.
coach-follow = Cœur est demandé, il faut fournir. L’as ferait le pli : jouez le roi.
coach-ace-wins = Votre as prend le dix et fait le pli. Jouez le roi.
coach-void = Vous n’avez pas de trèfle : tout est permis. Défaussez l’as de pique !
coach-off-suit = Votre as, ni trèfle ni atout, ne peut gagner. Le dix d’Anna fait le pli.
coach-trump-takes = Un atout ferait ce pli, et vous n’en voulez pas. Défaussez un as.
coach-other-ace = C’est aussi bon. Mais cette fois, défaussez l’as de pique.
coach-trump-led = Atout demandé : fournissez. La dame ferait le pli : jouez le neuf, gardez le sept.
coach-lower-later = Sans risque aussi. Mais plus tard, le sept évitera mieux les plis : jouez le neuf.
coach-queen-takes = Une dame prend un valet : vous feriez le pli. Jouez le neuf.
coach-rest = Juris fait le pli et entame. Les autres cartes se jouent pour vous.
coach-trumped = Anna n’a plus de trèfle : son dix de carreau, un atout, prend le roi.
coach-queens = Ordre des dames : trèfle, pique, cœur, carreau. Celle d’Anna fait le dernier pli.
coach-end-few = Le plus de plis : Anna paie deux jetons à chacun. On marque en jetons.
coach-end-tie = À plis égaux, les points décident : on y viendra. Le talon ne compte pas.
coach-pass = À gauche du donneur, vous parlez en premier. Sans dame, main trop faible : touchez « Passer ».
coach-too-weak = Vos atouts sont trop petits pour jouer seul. Touchez « Passer ».
coach-partners = Anna prend : les enchères sont finies. Elle joue seule : c’est le preneur.
coach-exchanged = Elle a pris le talon et écarté deux cartes. Juris et vous êtes la défense.
coach-plus = « 0+ » : les deux cartes qu’elle a écartées comptent aussi pour elle.
coach-had-ace = Pas de chance : Anna avait l’as. Elle fait le pli et entame.
coach-points = Les cartes valent : as 11, dix 10, roi 4, dame 3, valet 2, autres 0.
coach-sides = On compte les points des plis : Anna doit avoir 61 sur 120, vous deux 60.
coach-lead-ace = Vous entamez aussi le premier pli. Jouez l’as : seul un atout le prend.
coach-why-ace = Votre as rapporte plus de points, et seul un atout le prend. Jouez-le.
coach-partner-gave = Juris fournit son dix, qui compte pour vous : à vous deux, vous avez { points }.
coach-lead-nothing = Entamez du neuf de cœur : il ne coûte rien, et Juris le prendra peut-être.
coach-why-nothing = Gardez les atouts pour plus tard. Le neuf de cœur ne vaut aucun point.
coach-other-nine = Il ne vaut rien non plus. Mais à cœur, Juris a peut-être l’as.
coach-give = Atout demandé ; la dame de Juris domine. Vous jouez en dernier : donnez le dix !
coach-partner-has-it = Votre partenaire tient déjà ce pli : donnez-lui le dix.
coach-take = Pas de pique : coupez. Anna joue en dernier, donc du plus fort : le valet.
coach-jack-safer = Bonne idée, mais un atout plus fort est plus sûr. Prenez avec le valet.
coach-trump-it = Anna ferait alors le pli. Coupez avec le valet !
coach-took = Votre atout prend même l’as d’Anna : { points }. La suite se joue pour vous.
coach-defended = { points } : Anna ne peut plus atteindre 61. Juris et vous avez gagné !
coach-end-defended = Anna n’a pas eu 61 points : elle paie deux jetons à chacun.
coach-end-worse = Avec 30 points ou moins, elle paie trois ; sans aucun pli, quatre.
coach-strong = En général, prenez avec au moins cinq atouts, dont deux dames, et un autre as.
coach-talon = « Prendre » : vous recevez le talon, écartez deux cartes et devez faire 61 points.
coach-bid = Touchez « Prendre » : vous gagnez 2 à 6 jetons ou en perdez 4 à 8.
coach-too-strong = Avec des cartes si fortes, il faut jouer. Touchez « Prendre » !
coach-no-solo = En zole, pas de talon. Avec ces cartes, « Prendre » est plus sûr.
coach-discard = Écartez le dix et le roi de cœur : leurs { $count } points vous restent.
coach-why-hearts = Plutôt le dix et le roi de cœur : points gardés, et vous couperez à cœur.
coach-draw = Personne ne prend votre plus fort atout : jouez-le. Chacun doit fournir un atout.
coach-why-draw = Tirez d’abord leurs atouts, pour qu’ils ne coupent pas votre as : la dame de trèfle.
coach-highest-first = Presque aussi bien. Mais commencez par la plus forte : la dame de trèfle.
coach-draw-again = Déjà { points }. Personne ne prend non plus la dame de pique : jouez-la.
coach-why-again = Anna et Juris ont encore des atouts. Jouez d’abord la dame de pique.
coach-cash = { points }. Valets et dames prennent votre atout : jouez plutôt l’as de pique !
coach-why-cash = Ils ont des atouts plus forts que les vôtres. Jouez l’as de pique.
coach-made = { points } : 61 suffisent. Vous avez gagné ! La suite se joue pour vous.
coach-end-made = Chacun paie un jeton. À partir de 91 points, deux ; avec tous les plis, trois.
coach-end-zole = Troisième annonce, la zole : 61 points sans le talon, qui compte pour les autres.
coach-end-more = Zole rapporte 8 à 12 ou coûte 10 à 14 : l’Aide (?) dit quand l’annoncer.
table-decided = { $who ->
    [you] Vous { $wins ->
        [yes] gagnez
       *[no] perdez
    }
   *[other] { $name } { $wins ->
        [yes] gagne
       *[no] perd
    }
} avec { $settlement ->
    [fewest_tricks_collects] { $tied ->
        [yes] aussi peu de plis qu’un autre, mais moins de points
       *[no] le moins de plis ({ $count })
    }
    [most_points_pays] { $tied ->
        [yes] autant de points qu’un autre, mais plus de plis
       *[no] le plus de points ({ $count })
    }
   *[most_tricks_pays] { $tied ->
        [yes] autant de plis qu’un autre, mais plus de points
       *[no] le plus de plis ({ $count })
    }
}.
table-tied = { $paid ->
    [none] Plis et points sont égaux pour tous : personne ne paie.
    [to] Deux joueurs ont autant de plis et de points : le troisième paie les deux.
   *[by] Deux joueurs ont autant de plis et de points : tous deux paient le troisième.
}

## What came of a deal

result-none = Aucun contrat n’a été annoncé.
result-table = Tout le monde a passé : chacun pour soi.
result-thrown-in = Tout le monde a passé : donne annulée.
# $tricks and $points are counts in words.
result-talon = Le talon a fait { points } en { $tricks }.
# $end says how it ended for the declarer.
result-declared = { $who ->
    [you] Vous avez joué { a-game } : { $took }.
   *[other] { $name } a joué { a-game } : { $took }.
}{ $end ->
    [won] {" "}Contrat réussi.
    [lost] {" "}Contrat chuté.
    [surrendered] { $who ->
        [you] {" "}Vous avez abandonné.
       *[other] {" "}{ $name } a abandonné.
    }
    [conceded] {" "}La défense a abandonné.
   *[none] { "" }
}
result-forfeit = { $who ->
    [you] Vous avez joué { a-game } : { $took }.
   *[other] { $name } a joué { a-game } : { $took }.
} { $end ->
    [won] Le contrat compte comme réussi, à cause d’une faute commise par { $failed }.
   *[lost] Le contrat compte comme chuté, à cause d’une faute commise par { $failed }.
}
took-points = { points } ({ $tricks }), { $theirs } pour la défense
no-trick = aucun pli
result-fault = { $who ->
    [you] Vous
   *[other] { $name }
} : { $fault ->
    [timeout] temps écoulé
    [exited] départ
    [illegal] interdit
    [malformed] illisible
   *[other] { $fault }
}.
match-over-plain = La partie est terminée.
where-ask = { $ask ->
    [blind] À l’aveugle
    [bid] Enchère
    [talon] Talon
    [discard] Écart
    [surrender] Abandon
    [offer] Proposition
   *[play] Carte
}
column-points = points
column-tricks = plis
column-stakes = jetons

## A replay

match-title = { $league }, partie { $match }
deal-of = donne { $deal } sur { $most }
deal-shown-of = donne { $deal } (n° { $place } des { $most } affichées ici)
after-deals = { $count ->
    [one] après { $count } donne
    [many] après { $count } de donnes
   *[other] après { $count } donnes
}
in-deals-shown = { $count ->
    [one] sur la première donne affichée ici
    [many] sur les { $count } premières donnes affichées ici
   *[other] sur les { $count } premières donnes affichées ici
}
stakes-over = jetons { $deals }
rules-players = { $count ->
    [one] { $count } joueur ; contrats : { $games }
    [many] { $count } de joueurs ; contrats : { $games }
   *[other] { $count } joueurs ; contrats : { $games }
}
rules-all-pass = { $allpass ->
    [table] si tous passent : chacun pour soi
    [pool] si tous passent : cagnotte
    [redeal] si tous passent : nouvelle donne
   *[other] si tous passent : { $allpass }
}
rules-pools = avec cagnottes
rules-and-isolation = { $rules } ; isolation : { $level }
no-deal-played = Aucune donne n’a été jouée dans cette partie.
# What a bot is asked, as a mark beside its name.
asked = { ask } ?
is-asked = { $name } doit { $ask ->
    [blind] choisir de jouer ou non à l’aveugle
    [bid] parler
    [talon] décider du sort du talon
    [discard] écarter deux cartes
    [play] jouer
    [surrender] continuer ou abandonner
   *[offer] accepter ou continuer
}.
no-answer = { $name } ne répond pas.
answers = { $name } répond { $answer }.
seat-sits-out = La place { $seat } ne joue pas : elle n’apprend qu’à la fin comment la donne s’est passée.
no-fault-before = Aucune faute avant ce moment.
no-fault-after = Aucune faute après ce moment.
fault-unknown = Vu de la place { $seat }, on ne sait pas si une faute va suivre : A montre toutes les places.
mistake-unknown = Vu de la place { $seat }, on ne sait pas si une erreur va suivre : A montre toutes les places.
no-mistake-of-seat = Aucune erreur manifeste de la place { $seat } avant ce moment.
no-mistake-before = { $all ->
    [yes] Aucune erreur manifeste avant ce moment.
   *[no] Aucune erreur manifeste avant ce moment dans les donnes déjà analysées.
}
no-mistake-after = { $all ->
    [yes] Aucune erreur manifeste après ce moment.
   *[no] Aucune erreur manifeste après ce moment dans les donnes déjà analysées.
}
result-unknown = Vu de la place { $seat }, le résultat n’est connu qu’en fin de donne : A montre toutes les places.
result-is-shown = Le résultat est affiché.
future-is-hidden = La suite est masquée.
deal-is-over = La donne est terminée.
match-is-over = La partie est terminée.

## What can be done in a replay

trick-back = pli précédent
card-back = carte précédente
play-or-pause = lecture ou pause
card-on = carte suivante
trick-on = pli suivant
deal-back = donne précédente
deal-begin = début de la donne
deal-end = fin de la donne
deal-on = donne suivante
fault-back = faute précédente
fault-on = faute suivante
mistake-back = erreur manifeste précédente
mistake-on = erreur manifeste suivante
show-result = afficher le résultat de la donne, ou masquer la suite
close-help = fermer l’aide
see-all = voir toutes les cartes
look-from-seat = voir depuis la place { $seat }, { $name }
step = Pas à pas
deals = Donnes
more = Plus
look-from = Voir depuis
all-seats = toutes
a-deal = Donne
result = résultat
fault = Faute
mistake = Erreur
before = précédente
next = suivante
moment-of-deal = Moment de la donne
help-future = Rien de la suite n’est montré, sauf si vous le demandez ou si vous l’avez déjà vu. Vue d’une place, la partie ne montre que ce qu’on y savait. Un clic sur un graphique mène au coup ou à la donne.
help-values = Les valeurs sont les jetons qui reviennent à la place interrogée si tout le monde continue à jeu découvert : en moyenne sur les donnes compatibles avec ce qu’elle savait, et dans la donne telle qu’elle était. Une erreur manifeste a coûté un demi-jeton ou plus d’après ce que la place savait, et plus de deux fois l’erreur type.

## Parts of a replay

moves = Les coups de cette donne
as-dealt = cartes distribuées
mark-fault = faute
mark-refused = refus
mark-note = note
mistake-costs = erreur, coût
trick-to = pli { $trick } : { $who ->
    [talon] le talon
   *[other] { $name }
}, { points }
current-move = Le coup en cours
bot-sent = Le bot a envoyé { $answer }
fault-title = Faute
refused-title = Refus
note-title = Note
stderr-title = Sortie d’erreur
stderr-of = Sortie d’erreur du bot { $bot }, toute la partie
the-result = Le résultat
result-of-deal = Résultat de la donne
show-the-result = Afficher le résultat
seat-learns-later = À cette place, on ne l’apprend qu’en fin de donne.
stakes-after = jetons { $deals }
pools-after = Cagnottes après cette donne : { $pools }.
no-pools-after = Aucune cagnotte après cette donne.
the-deals = Les donnes
filter-declarer = preneur
filter-contract = contrat
filter-swing = gain ou perte
filter-fault = avec faute
any = peu importe
none = aucun
swing-or-more = { $count ->
    [one] { $count } jeton ou plus
    [many] { $count } de jetons ou plus
   *[other] { $count } jetons ou plus
}
deals-found = { $count ->
    [one] { $found } sur { $count } donne
    [many] { $found } sur { $count } de donnes
   *[other] { $found } sur { $count } donnes
}
deals-found-so-far = { $count ->
    [one] { $found } sur { $count } donne vue jusqu’ici
    [many] { $found } sur { $count } de donnes vues jusqu’ici
   *[other] { $found } sur { $count } donnes vues jusqu’ici
}
deals-later = Les donnes s’ajoutent ici une fois terminées.
show-all-deals = Afficher toutes les donnes
no-contract = aucun contrat
clear-mistakes = { $count ->
    [one] { $count } erreur manifeste
    [many] { $count } d’erreurs manifestes
   *[other] { $count } erreurs manifestes
}
seconds-of-deal = Secondes par coup dans cette donne
seconds-of-seat = Secondes par coup de la place { $seat } dans cette donne
stakes-over-deals = Jetons au fil des donnes
expected-stakes = Jetons attendus dans cette donne, chaque trait montant jusqu’à la meilleure réponse
stakes-lost = Jetons perdus par les réponses dans cette donne
course-of-deal = Le cours de la donne
could-expect = Jetons attendus ici pour { $name }, à jeu découvert : { $amount }

## The review in a replay

review = Analyse
value-appears-here = La valeur de chaque réponse apparaît ici.
hangs-on-hidden = Ce que cela valait dépend de cartes que la place { $seat } ne voit pas.
no-choice = Il n’y avait pas de choix, ou ce n’est pas analysé.
no-choice-of-seat = Il n’y avait pas de choix, ou ce n’est pas analysé : A montre toutes les places, et de là, la page peut le faire.
save-as-test = En faire un test du bot : { $command }
not-reviewed = Cette donne n’a pas été analysée. Dans un terminal, { $command } analyse toute la partie.
# $bots are the names of those whose answers alone were reviewed.
reviewed-for-only = Analysé pour { $bots } seulement.
all-answers = Les { $count } réponses
clear-mistake = { $mark } : mieux valait { $better }.
clear-mistake-mark = ✗ Erreur manifeste
no-better = ✓ Aucune réponse ne semble meilleure.
perhaps-better = ≈ Mieux valait sans doute { $better }, mais c’est peut-être le hasard.
# $open is "yes" where $revealed is told too: what it cost with open hands.
it-cost = Coût en jetons : { $loss }, { $among }{ $open ->
    [yes]  ; à jeu découvert : { $revealed }.
   *[no] .
}
among-known = la place pouvant situer toutes les cartes
among-all = { $count ->
    [one] sur la seule donne compatible avec ce que savait la place
    [many] en moyenne sur les { $count } de donnes compatibles avec ce que savait la place
   *[other] en moyenne sur les { $count } donnes compatibles avec ce que savait la place
}
among-some = { $count ->
    [one] sur { $count } donne compatible avec ce que savait la place
    [many] en moyenne sur { $count } de donnes compatibles avec ce que savait la place
   *[other] en moyenne sur { $count } donnes compatibles avec ce que savait la place
}
column-answer = réponse
column-known = vu de la place
column-open = à jeu découvert
given-or-best = donnée ou meilleure
given = ● donnée
best = ★ meilleure

## Why a hint is good

why-only = Les règles ne permettent rien d’autre.
why-unbeatable = Aucune carte restante ne la prend.
why-draws-trumps = Elle fait tomber les atouts adverses.
why-only-trumps = Seul un atout la prend.
why-before-trumped = Prenez ses points maintenant, tant que d’autres ont peut-être à fournir : vos atouts peuvent attendre.
why-takes-now = Pour l’instant, elle fait le pli.
why-does-not-take = Elle ne prend pas le pli.
why-takes = Elle prend le pli, avec { points }{ $more ->
    [yes] {" "}ou plus
   *[no] { "" }
}.
why-side-takes = Le pli revient de toute façon à votre camp, avec { points } ou plus.
why-partner-takes = Votre partenaire prend le pli : donnez-lui { points }.
why-partner-so-far = Pour l’instant, votre partenaire a le pli : donnez-lui { points }.
why-partner-may-trump = Votre partenaire n’a pas cette couleur et peut couper : donnez-lui { points }.
why-partner-last = Votre partenaire joue en dernier et peut prendre le pli : donnez-lui { points }.
why-keeps-trumps = Elle garde { $count ->
    [one] votre atout
    [many] vos atouts
   *[other] vos atouts
} pour plus tard.
why-keeps-higher = Elle garde { CARD($card) } pour plus tard.
why-keeps-at-a-price = Elle coûte { points } de plus, mais garde { CARD($card) } pour plus tard.
why-keeps-lower = Elle garde pour plus tard { CARD($card) }, qui est plus faible.
why-keeps-winner = Elle garde { CARD($card) } pour plus tard : seul un atout prend cette carte.
why-harder = Elle est plus difficile à battre que { CARD($card) }.
why-sets-up = Une fois { CARD($card) } tombé, vous avez la plus forte carte de cette couleur.
why-risks-less = Cela coûte moins de points que { CARD($card) } si le pli est perdu.
why-no-points = Elle n’a aucun point à perdre.
why-weakest = C’est la plus faible carte que vous pouvez jouer.
why-in-any-case = Elle fera un pli à tout moment : aucune carte restante ne la prend. Les petites cartes serviront plus tard.
why-strongest = Vous vous défaites ainsi de la plus forte carte permise.
why-fewest-points = Elle donne le moins de points.
why-void = { $suit ->
    [clubs] Sans trèfle, vous pourrez couper cette couleur.
    [spades] Sans pique, vous pourrez couper cette couleur.
   *[hearts] Sans cœur, vous pourrez couper cette couleur.
}
why-void-later = { $suit ->
    [clubs] Sans trèfle, vous pourrez défausser de fortes cartes quand cette couleur est jouée.
    [spades] Sans pique, vous pourrez défausser de fortes cartes quand cette couleur est jouée.
   *[hearts] Sans cœur, vous pourrez défausser de fortes cartes quand cette couleur est jouée.
}
why-others-higher = { $count ->
    [one] Il reste { $count } carte plus forte dans sa couleur : un autre devra peut-être faire le pli.
    [many] Il reste { $count } de cartes plus fortes dans sa couleur : un autre devra peut-être faire le pli.
   *[other] Il reste { $count } cartes plus fortes dans sa couleur : un autre devra peut-être faire le pli.
}
why-shorter = Moins vous gardez de cartes de sa couleur, plus tôt vous pourrez défausser de fortes cartes.
why-safe = Vous gardez { points } pour vous.
why-same-word = { answer-word } : à peu près aussi bien.
why-same-discards = En moyenne, à peu près aussi bien : { $cards }{ $more ->
    [yes] {" "}et d’autres
   *[no] { "" }
}.
why-no-matter = { $end ->
    [pays] Peu importe : avec chaque carte, vous payez dans environ { $count } donnes sur 100 qui correspondent à ce que vous pouviez voir.
    [lost] Peu importe : avec chaque carte, vous perdez à peu près autant.
    [won] Peu importe : avec chaque carte, vous gagnez à peu près autant.
   *[even] Peu importe : avec chaque carte, vous gagnez environ { $count } donnes sur 100 qui correspondent à ce que vous pouviez voir.
}
why-same-but = Aussi bon en moyenne : toute carte permise sauf { $cards }.
why-same-cards = En moyenne, tout aussi bien : { $cards }.
why-better = Votre avance moyenne sur tout autre choix, en jetons : { $ahead }.
why-wins = { $end ->
    [more] Sur 100 donnes qui correspondent à ce que vous pouviez voir, vous en gagnez { $won } ainsi, { $less } avec l’autre carte ({ CARD($card) }).
    [pays] Sur 100 donnes qui correspondent à ce que vous pouviez voir, vous payez dans { $won } ainsi, dans { $less } avec l’autre carte ({ CARD($card) }).
    [lost] Avec l’autre carte ({ CARD($card) }), vous perdez aussi, et en moyenne { $ahead } jeton de plus.
    [won] Avec l’autre carte ({ CARD($card) }), vous gagnez aussi, mais en moyenne { $ahead } jeton de moins.
    [even] Avec l’autre carte ({ CARD($card) }), vous gagnez aussi souvent, mais en moyenne { $ahead } jeton de moins.
   *[less] Votre avance moyenne sur l’autre carte ({ CARD($card) }), en jetons : { $ahead }.
}
why-rule-fails = La règle « le plus fort atout d’abord » ne vaut pas ici.
why-worth = Vos jetons en moyenne :
why-also = { answer-word } { $next }.
why-too-close = Moins d’un demi-jeton d’écart ne veut rien dire.
why-hand = Dans ce jeu : atouts { $trumps }, dames { $queens }, as hors atout { $aces }.
more-answers = … encore { $count } …
# Above the values of all answers as bars.
values-of-answers = { $kind ->
    [cost] Écart avec la meilleure, en jetons :
    [open] Écart avec la meilleure, à jeu ouvert :
   *[worth] Vos jetons en moyenne :
}

## Beside the page

# What stands on a key.
key-cap = { $key ->
    [space] Espace
    [enter] Entrée
    [page-up] Pg préc
    [page-down] Pg suiv
    [home] Début
    [end] Fin
   *[escape] Échap
}
# Where a browser runs no scripts.
replay-needs-script = Cette page a besoin de JavaScript : laissez ce fichier exécuter son script, qui n’utilise aucun réseau.
table-needs-script = Cette page a besoin de JavaScript : laissez-la exécuter son script, qui ne parle qu’à l’ordinateur d’où elle vient.
