"""Zole Arena: a referee, leagues and standings for bots that play Zole."""

__version__ = "0.1.0"
