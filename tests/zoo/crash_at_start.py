"""Exits with code 3 before it says anything."""

import sys

sys.exit(3)
