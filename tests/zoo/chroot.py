"""Changes its root folder, to where it is already."""

import os

import play

play.attempt(chroot=lambda: play.aside(lambda: os.chroot("/")))
