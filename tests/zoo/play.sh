# Honest, deterministic play for the sh animals, with one moment for a misdeed.
#
# An animal defines misdeed, which may set `note`, and then calls play. The misdeed is done once, at
# the first request. These bots always pass, so nobody asks them for a discard.

note=
first=yes

# Notes what came of an act: its name and its exit status.
act() {
    if [ "$2" -eq 0 ]; then
        note="ESCAPED: $1 worked; $note"
    else
        note="${note:-held:} $1 failed,"
    fi
}

play() {
    while IFS= read -r line; do
        type=${line#'{"type":"'}
        type=${type%%'"'*}
        id=${line#*'"id":'}
        id=${id%%,*}
        legal=${line#*'"legal":["'}
        case $type in
            hello) echo '{"type":"ready","protocol":1}' && continue ;;
            bid) answer='"bid":"pass"' ;;
            blind) answer='"blind":false' ;;
            play) answer="\"card\":\"${legal%%'"'*}\"" ;;
            bye) exit ;;
            *) continue ;;
        esac
        if [ $first ]; then
            first=
            misdeed
            answer="$answer,\"note\":\"$note\""
        fi
        echo "{\"type\":\"$type\",\"id\":$id,$answer}"
    done
}
