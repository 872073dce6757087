"""Raises its own limits above what it was given."""

import resource

import play


def higher(kind):
    soft, hard = resource.getrlimit(kind)
    if hard == resource.RLIM_INFINITY:
        return "there is no limit"
    try:
        resource.setrlimit(kind, (soft, hard + 1))
    except ValueError as error:  # what Python raises for EPERM here
        raise play.HeldError(str(error)) from None
    resource.setrlimit(kind, (soft, hard))
    return "raised"


play.attempt(
    files=lambda: higher(resource.RLIMIT_NOFILE),
    processes=lambda: higher(resource.RLIMIT_NPROC),
    file_size=lambda: higher(resource.RLIMIT_FSIZE),
    locked=lambda: higher(resource.RLIMIT_MEMLOCK),
)
