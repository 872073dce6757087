"""Looks for a way to the internet by UDP, without sending anything."""

import socket

import play


def udp(family, address):
    with socket.socket(family, socket.SOCK_DGRAM) as one:
        one.connect((address, 53))
        return f"a route from {one.getsockname()[0]}"


play.attempt(
    udp=lambda: udp(socket.AF_INET, "192.0.2.1"),
    udp6=lambda: udp(socket.AF_INET6, "2001:db8::1"),
)
