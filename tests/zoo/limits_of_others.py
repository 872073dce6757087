"""Sets the limits and the priority of other processes, of those it can see."""

import os
import resource

import play


def limits():
    resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (64, 64))


def priority():
    os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)


def group():
    os.setpriority(os.PRIO_USER, 0, 19)


play.attempt(limits=limits, priority=priority, group=group)
