"""Connects to a TCP port of this machine that somebody outside listens on."""

import socket

import play


def tcp():
    socket.create_connection(("127.0.0.1", play.target("tcp_port")), 0.3).close()


def tcp6():
    socket.create_connection(("::1", play.target("tcp_port")), 0.3).close()


play.attempt(tcp=tcp, tcp6=tcp6)
