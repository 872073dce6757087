"""Looks for sockets of the machine among those of /proc/net."""

from pathlib import Path

import play


def unix():
    if play.target("unix_path").rpartition("/")[2] not in Path("/proc/net/unix").read_text():
        raise play.HeldError("it is not among them")


def tcp():
    port = f":{play.target('tcp_port'):04X} "
    if port not in Path("/proc/net/tcp").read_text():
        raise play.HeldError("it is not among them")


play.attempt(unix=unix, tcp=tcp)
