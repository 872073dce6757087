"""One program kept apart from the machine and from all others, watched and ended.

May import base.
"""
