# Makes a file beside itself, in /usr and in the work folder with plain commands.
. ./play.sh
. ./target.sh

made() {
    : 2>/dev/null >"$1/zoo-was-here-$$"
    made=$?
    rm -f "$1/zoo-was-here-$$"
    return $made
}

misdeed() {
    (made .) 2>/dev/null
    act here $?
    (made /usr) 2>/dev/null
    act usr $?
    (made "$WORK") 2>/dev/null
    act work $?
}

play
