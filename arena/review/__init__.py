"""The worth of each answer of a played deal, by what its seat knew and with all cards open."""
