"""Opens settings of the kernel for writing; it writes nothing."""

import os

import play


def opened(path):
    os.close(os.open(path, os.O_WRONLY))
    return "opened"


play.attempt(
    sysrq=lambda: opened("/proc/sysrq-trigger"),
    hostname=lambda: opened("/proc/sys/kernel/hostname"),
    core_pattern=lambda: opened("/proc/sys/kernel/core_pattern"),
    caches=lambda: opened("/proc/sys/vm/drop_caches"),
    helper=lambda: opened("/sys/kernel/uevent_helper"),
    cgroup=lambda: opened("/sys/fs/cgroup/cgroup.procs"),
    own_score=lambda: opened("/proc/self/oom_score_adj"),
    parents_score=lambda: opened(f"/proc/{os.getppid()}/oom_score_adj"),
)
