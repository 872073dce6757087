"""The number of files and connections that this process may have open."""

import sys


def allow_descriptors(wanted: int) -> None:
    """Raise the soft limit of open files to the wanted number, as far as the hard one allows."""
    if sys.platform == "win32":
        return
    import resource  # not on Windows

    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        allowed = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
