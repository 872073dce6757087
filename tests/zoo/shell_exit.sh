# Exits with code 1 at its first request.
. ./play.sh

misdeed() {
    exit 1
}

play
