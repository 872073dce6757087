"""Opens sockets between a virtual machine and its host; it connects to nobody."""

import socket

import play


def opened(*kind):
    socket.socket(*kind).close()
    return "opened"


play.attempt(
    stream=lambda: opened(socket.AF_VSOCK, socket.SOCK_STREAM),
    datagram=lambda: opened(socket.AF_VSOCK, socket.SOCK_DGRAM),
)
