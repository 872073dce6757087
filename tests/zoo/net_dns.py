"""Asks the machine's name server for a name that does not exist."""

import socket
from pathlib import Path

import play

QUESTION = b"\x00\x07\x01\x00\x00\x01" + bytes(6) + b"\x03zoo\x07invalid\x00\x00\x01\x00\x01"


def dns():
    words = Path("/etc/resolv.conf").read_text().split()
    if "nameserver" not in words:
        raise play.HeldError("no name server")
    server = words[words.index("nameserver") + 1]
    family = socket.AF_INET6 if ":" in server else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as one:
        one.settimeout(0.4)
        one.connect((server, 53))
        one.send(QUESTION)
        return f"an answer of {len(one.recv(512))} bytes"


play.attempt(dns=dns)
