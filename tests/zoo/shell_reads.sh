# Reads the secret file, another bot, the log and the work folder with plain commands.
. ./play.sh
. ./target.sh

misdeed() {
    cat "$SECRET_FILE" >/dev/null 2>&1
    act secret $?
    cat "$OTHER_BOT/bot.toml" >/dev/null 2>&1
    act other $?
    head -c 16 "$LOG" >/dev/null 2>&1
    act log $?
    ls "$WORK" >/dev/null 2>&1
    act work $?
}

play
