"""Connects to an abstract unix socket that somebody outside listens on."""

import socket

import play


def abstract():
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(0.3)
        one.connect("\0" + play.target("abstract"))


play.attempt(abstract=abstract)
