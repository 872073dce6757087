#!/bin/sh
# A bot for the Zole Arena in plain POSIX sh.
#
# It starts no other program: a process for every card would be slow. So it reads JSON with parameter
# expansion, which works because the arena writes compact lines with "type" first and "id" second.
# For the same reason functions give their result in a variable: "$(...)" would be a process too.

set -f # a word is never a file name pattern

# How strong a hand must be for each bid: the first numbers to try others for.
ordinary=15 solo=21

# Of two cards of one suit the stronger is the one further left.
trump_order='QC QS QH QD JC JS JH JD AD TD KD 9D 8D 7D'
rank_order='ATK9'

# ---- reading a line ----

# field NAME: a number or a word, in $value
field() {
    value=${line#*\""$1"\":}
    value=${value%%[,\}]*}
}

# list NAME: the words of a list, in $list, with spaces between them
list() {
    rest=${line#*\""$1"\":[}
    rest=${rest%%]*}
    list=''
    IFS='{}:",'
    for word in $rest; do
        [ -z "$word" ] || list="$list $word"
    done
    unset IFS # back to splitting at spaces
}

# The contract is told once a deal, in the events of some request. From it we keep the $declarer,
# and whether we want the tricks: without a declarer, and in a small solo, nobody does.
read_contract() {
    case $line in *'"event":"contract"'*) ;; *) return ;; esac
    contract=${line#*'"event":"contract"'}
    contract=${contract%%\}*}
    declarer=${contract#*'"declarer":'}
    declarer=${declarer%%,*}
    case $contract in *table* | *small_solo*) low=yes ;; *) low=no ;; esac
}

# ---- cards ----

# look CARD: its $suit (T for trumps), $place (a smaller one is stronger) and $points
look() {
    case $1 in
        Q? | J? | ?D) suit=T place=${trump_order%%"$1"*} ;;
        *) suit=${1#?} place=${rank_order%%"${1%?}"*} ;;
    esac
    place=${#place}
    case $1 in A?) points=11 ;; T?) points=10 ;; K?) points=4 ;; Q?) points=3 ;; J?) points=2 ;; *) points=0 ;; esac
}

# beats CARD BEST: does CARD take the trick from BEST?
beats() {
    look "$2"; best_suit=$suit best_place=$place
    look "$1"
    if [ "$suit" = "$best_suit" ]; then [ "$place" -lt "$best_place" ]; else [ "$suit" = T ]; fi
}

# richest CARD...: the one with most points, in $card; poorest: with fewest; of equal ones the weaker.
richest() {
    most=-1
    for one; do look "$one"; [ "$points" -lt "$most" ] || card=$one most=$points; done
}
poorest() {
    fewest=12
    for one; do look "$one"; [ "$points" -gt "$fewest" ] || card=$one fewest=$points; done
}

# ---- before the play ----

# weigh CARD...: trumps count, high ones more, and so do plain aces; the sum is in $strength
weigh() {
    strength=0
    for one; do
        case $one in
            Q?) strength=$((strength + 4)) ;;
            J?) strength=$((strength + 3)) ;;
            ?D | A?) strength=$((strength + 2)) ;;
        esac
    done
}

# The discard counts for the declarer, so plain cards with points go first; trumps only if we must.
choose_discard() {
    tens='' kings='' nines='' aces='' trumps=''
    for one; do
        case $one in
            Q? | J? | ?D) trumps="$one $trumps" ;; # turned round: the weakest first
            A?) aces="$aces $one" ;;
            T?) tens="$tens $one" ;;
            K?) kings="$kings $one" ;;
            9?) nines="$nines $one" ;;
        esac
    done
    set -- $tens $kings $nines $aces $trumps
    answer="\"cards\":[\"$1\",\"$2\"]"
}

# ---- the play ----

# The card that takes the trick so far, in $best, who laid it, in $by, and how many lie, in $count
read_trick() {
    best='' count=0
    list trick
    for word in $list; do # seat 1 card QC seat 2 card 9D
        case $word in
            [0-9] | talon) seat=$word ;;
            [AKQJT987][CSHD])
                count=$((count + 1))
                if [ -z "$best" ] || beats "$word" "$best"; then best=$word by=$seat; fi
                ;;
        esac
    done
}

# lead CARD...: the first card of a trick, in $card
lead() {
    if [ "$low" = yes ]; then for card; do :; done; return; fi # the last is the weakest
    card=$1 # the strongest: right for a declarer, who draws the trumps
    [ "$me" != "$declarer" ] || return 0
    plain=''
    for one; do look "$one"; [ "$suit" = T ] || plain="$plain $one"; done
    # A defender keeps its trumps, and hopes that an ace takes its trick.
    case $plain in *A*) richest $plain ;; *) poorest ${plain:-"$@"} ;; esac
}

# follow CARD...: a later card, in $card
follow() {
    winners='' losers=''
    for one; do
        if beats "$one" "$best"; then winners="$winners $one"; else losers="$losers $one"; fi
    done
    if [ "$low" = yes ]; then
        richest ${losers:-$winners} # rid of a dangerous card
    elif [ "$by" != "$declarer" ] && [ "$me" != "$declarer" ]; then
        # The partner's trick: our points, unless the declarer can still take them.
        if [ "$count" -eq 2 ]; then richest "$@"; else poorest "$@"; fi
    elif [ -n "$winners" ] && [ "$count" -eq 2 ]; then
        richest $winners # nobody can take these points back
    else
        poorest ${winners:-$losers}
    fi
}

# ---- talking to the arena ----

# wish BID LEAST: say so if it is legal here and the hand is strong enough
wish() {
    case " $list " in *" $1 "*) [ "$strength" -lt "$2" ] || answer="\"bid\":\"$1\"" ;; esac
}

# choose KIND: what to answer to a request, in $answer, and if that is refused, in $spare
choose() {
    spare=''
    case $1 in
        blind) answer='"blind":false' ;;
        surrender) answer='"surrender":false' ;;
        offer) answer='"accept":true' ;;
        discard) list hand; choose_discard $list ;;
        talon)
            list hand; weigh $list
            if [ "$strength" -ge "$solo" ]; then answer='"choice":"give"'; else answer='"choice":"take"'; fi ;;
        bid)
            spare='"bid":"pass"' answer=$spare
            list hand; weigh $list
            list legal; wish ordinary $ordinary; wish solo $solo ;;
        play)
            field seat; me=$value
            read_trick
            list legal; set -- $list
            spare="\"card\":\"$1\""
            if [ -n "$best" ]; then follow "$@"; else lead "$@"; fi
            answer="\"card\":\"$card\"" ;;
    esac
}

# The loop ends, and the bot leaves, when the arena closes our input.
while IFS= read -r line; do
    kind=${line#*\"type\":\"}
    kind=${kind%%\"*}
    case $kind in
        hello) echo '{"type":"ready","protocol":1,"asks":["surrender","offer"]}' ;;
        error) echo "{\"type\":\"$asked\",\"id\":$id,${spare:-$answer}}" ;;
        blind | bid | talon | discard | play | surrender | offer)
            read_contract
            choose "$kind"
            field id; id=$value asked=$kind
            echo "{\"type\":\"$kind\",\"id\":$id,$answer}" ;;
    esac # nothing else wants an answer
done
