"""What each answer of a played deal was worth, by what its seat knew and with all cards open."""
