"""One program isolated from the machine and all others, watched and ended."""
