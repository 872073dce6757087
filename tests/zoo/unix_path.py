"""Connects to a unix socket in a folder outside."""

import socket

import play


def path():
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(0.3)
        one.connect(play.target("unix_path"))


play.attempt(path=path)
