"""Becomes another user or root."""

import os

import play

play.attempt(
    setuid=lambda: play.aside(lambda: os.setuid(0)),
    setgid=lambda: play.aside(lambda: os.setgid(0)),
    setresuid=lambda: play.aside(lambda: os.setresuid(-1, 0, -1)),
    groups=lambda: play.aside(lambda: os.setgroups([0])),
    other=lambda: play.aside(lambda: os.setuid(65534)),
)
