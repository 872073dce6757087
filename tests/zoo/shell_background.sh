# Leaves a command running in the background for 30 seconds.
. ./play.sh

misdeed() {
    trap '' TERM
    sleep 30 &
    note="held: it is for the arena to end what was left"
}

play
