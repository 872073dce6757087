"""Makes 4,000 empty files in its scratch folder."""

from pathlib import Path

import play


def misdeed(message, answer):
    made = 0
    try:
        for made in range(4000):
            Path(play.SCRATCH, str(made)).touch()
    except OSError as error:
        note = f"held: {error.strerror} after {made} files"
    else:
        note = "ESCAPED: 4000 files made"
    play.hold()
    return note


play.run(misdeed)
