# A bot in plain sh: never declares anything, and always plays the first legal card.
# It leans on what the protocol promises: compact JSON, `type` first and then `id`.

while IFS= read -r line; do
    type=${line#'{"type":"'}
    type=${type%%'"'*}
    id=${line#*'"id":'}
    id=${id%%,*}
    legal=${line#*'"legal":["'} # the first legal choice; a bid's is "pass"
    first=${legal%%'"'*}
    case $type in
        hello) echo '{"type":"ready","protocol":1,"name":"lazy"}' ;;
        blind) echo "{\"type\":\"blind\",\"id\":$id,\"blind\":false}" ;;
        bid) echo "{\"type\":\"bid\",\"id\":$id,\"bid\":\"$first\"}" ;;
        play) echo "{\"type\":\"play\",\"id\":$id,\"card\":\"$first\"}" ;;
        bye) exit ;;
    esac
done
