"""Opens netlink sockets, by which the kernel tells of interfaces and events."""

import socket

import play


def opened(*kind):
    socket.socket(*kind).close()
    return "opened"


play.attempt(
    route=lambda: opened(socket.AF_NETLINK, socket.SOCK_RAW, 0),
    events=lambda: opened(socket.AF_NETLINK, socket.SOCK_RAW, 15),
    diagnosis=lambda: opened(socket.AF_NETLINK, socket.SOCK_RAW, 4),
)
