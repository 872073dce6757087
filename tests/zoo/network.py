"""Reaches for others over the network and by unix sockets, and looks for sockets in /proc/net."""

import contextlib
import socket
from pathlib import Path

import play

QUESTION = b"\x00\x07\x01\x00\x00\x01" + bytes(6) + b"\x03zoo\x07invalid\x00\x00\x01\x00\x01"
PORT = play.target("tcp_port")
UNIX = play.target("unix_path")


def connected(host):
    socket.create_connection((host, PORT), 0.3).close()


def route(family, address):
    """Look for a way to the internet, without sending anything."""
    with socket.socket(family, socket.SOCK_DGRAM) as one:
        one.connect((address, 53))
        return f"a route from {one.getsockname()[0]}"


def dns():
    """Ask the machine's name server for a name that does not exist."""
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


def opened(*kind):
    socket.socket(*kind).close()
    return "opened"


def opens(family):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        with contextlib.suppress(OSError):
            return opened(family, kind)
    return None


def families():
    """Open a socket of every family but unix, in each common type."""
    found = [family for family in range(2, 46) if opens(family)]
    if not found:
        raise play.HeldError("none opens")
    return f"these open: {found}"


def unix(address):
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(0.3)
        one.connect(address)


def listed(file, sought):
    if sought not in Path("/proc/net", file).read_text():
        raise play.HeldError("it is not among them")


play.attempt(
    tcp=lambda: connected("127.0.0.1"),
    tcp6=lambda: connected("::1"),
    udp=lambda: route(socket.AF_INET, "192.0.2.1"),
    udp6=lambda: route(socket.AF_INET6, "2001:db8::1"),
    dns=dns,
    netlink_route=lambda: opened(socket.AF_NETLINK, socket.SOCK_RAW, 0),
    netlink_events=lambda: opened(socket.AF_NETLINK, socket.SOCK_RAW, 15),
    netlink_diagnosis=lambda: opened(socket.AF_NETLINK, socket.SOCK_RAW, 4),
    vsock_stream=lambda: opened(socket.AF_VSOCK, socket.SOCK_STREAM),
    vsock_datagram=lambda: opened(socket.AF_VSOCK, socket.SOCK_DGRAM),
    packet=lambda: opened(socket.AF_PACKET, socket.SOCK_RAW, 0x0300),
    icmp=lambda: opened(socket.AF_INET, socket.SOCK_RAW, 1),
    ping=lambda: opened(socket.AF_INET, socket.SOCK_DGRAM, 1),
    families=families,
    unix=lambda: unix(UNIX),
    abstract=lambda: unix("\0" + play.target("abstract")),
    seen_unix=lambda: listed("unix", UNIX.rpartition("/")[2]),
    seen_tcp=lambda: listed("tcp", f":{PORT:04X} "),
)
