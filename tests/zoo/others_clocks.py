"""Reads the processor clocks and the priority of a process outside."""

import os
import time

import play


def victim():
    pid = play.target("victim_pid")
    return pid if pid != os.getpid() else os.getppid()


def process_clock():
    return time.clock_gettime(~victim() << 3 | 2)


def thread_clock():
    return time.clock_gettime(~victim() << 3 | 6)


def resolution():
    return time.clock_getres(~victim() << 3 | 2)


def priority():
    return os.getpriority(os.PRIO_PROCESS, victim())


def scheduler():
    return os.sched_getscheduler(victim())


def session():
    return os.getsid(victim())


play.attempt(
    process_clock=process_clock,
    thread_clock=thread_clock,
    resolution=resolution,
    priority=priority,
    scheduler=scheduler,
    session=session,
)
