### What stands around every page: its head and foot, times and counts.
###
### Not yet read over by a native player.

## The head and the foot

# The description for search engines; $page is the page's own title, with a mark behind it, or empty.
about-page = { $page }{ $title } : des bots qui jouent au jeu de cartes zole, leur classement, leurs parties et leurs donnes.
skip-to-page = Aller au contenu de la page
places = Les cinq lieux
pages = Pages
page-standings = Classement
page-crosstable = Tableau croisé
page-matches = Parties
page-watch = Regarder
page-play = Jouer
page-ledger = Registre
page-rules = Règles
page-about = À propos
page-begin = Débuter
page-own-bots = Mes bots
page-learn = Apprendre
page-build = Créer
page-deals = Donnes
page-table = Tableau
page-in-short = En bref
page-guide = Guide
languages = Langues
# $name is the league's, all others are counts; $practice is "yes" where the seed is known.
league-so-far = { $name } : { $matches ->
    [one] { $matches } partie
    [many] { $matches } de parties
   *[other] { $matches } parties
}, { $games ->
    [one] { $games } donne jouée
    [many] { $games } de donnes jouées
   *[other] { $games } donnes jouées
}, { $decisions ->
    [one] { $decisions } décision
    [many] { $decisions } de décisions
   *[other] { $decisions } décisions
}{ $practice ->
    [yes]  ; entraînement : sa graine est connue
   *[no] { "" }
}. État au { $moment }.
ledger-line = La ligne { $line } du { $ledger } a pour empreinte { $hash }
the-ledger = registre
json-beside = Les chiffres de la plupart des pages existent aussi en JSON : ajoutez <code>.json</code> à la fin de l’adresse.
the-api = L’API
version = Zole Arena { $version }.
not-connected = Pas de connexion : la page montre ce qu’elle a appris en dernier.
load-again = Recharger
copy = Copier
copied = Copié
copy-by-hand = Sélectionnez et copiez à la main
hash-is-right = ✓ c’est la même, calculée par votre navigateur
hash-is-wrong = ✗ ce n’est pas la même

## Times and counts

moment-utc = { $moment } UTC
length-days = { $count } j
length-hours = { $count } h
length-minutes = { $count } min
length-seconds = { $count } s
deals-numbered = { $count ->
    [one] donne { $first }
    [many] donnes { $first } à { $last }
   *[other] donnes { $first } à { $last }
}
faults = { $count ->
    [one] { $count } faute
    [many] { $count } de fautes
   *[other] { $count } fautes
}
a-table = Tableau : { $label }
