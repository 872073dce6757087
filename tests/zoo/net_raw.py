"""Opens raw sockets, which see and send whole packets."""

import socket

import play


def opened(*kind):
    socket.socket(*kind).close()
    return "opened"


play.attempt(
    packet=lambda: opened(socket.AF_PACKET, socket.SOCK_RAW, 0x0300),
    icmp=lambda: opened(socket.AF_INET, socket.SOCK_RAW, 1),
    ping=lambda: opened(socket.AF_INET, socket.SOCK_DGRAM, 1),
)
