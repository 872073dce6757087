"""Sees, signals, traces, reads and lowers other processes, and looks for secrets in them."""

import contextlib
import ctypes
import errno
import os
import resource
import signal
import time
from pathlib import Path

import play

libc = ctypes.CDLL(None, use_errno=True)
PTRACE_SEIZE = 0x4206
PARENT, VICTIM = os.getppid(), play.target("victim_pid")
SECRET = play.target("parent_secret").encode()


def pids():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def others():
    strangers = {*pids()} - {1, os.getpid(), PARENT}
    if not strangers:
        raise play.HeldError("there are none")
    return f"{len(strangers)} processes"


def read(file):
    return Path("/proc", str(VICTIM), file).read_text()[:40].strip("\0\n")


def pidfd():
    signal.pidfd_send_signal(os.pidfd_open(VICTIM), 0)


def signal_all():
    """Ask whether kill(-1) would reach anybody.

    Signal 0 has the kernel check the same rights; with SIGTERM, every process of the user would
    end outside of a sandbox. kill(-1) also succeeds where everybody it found refused it, so each
    is then asked by itself.
    """
    os.kill(-1, 0)
    for pid in pids():
        with contextlib.suppress(OSError):
            if pid != os.getpid():
                os.kill(pid, 0)
                return f"process {pid} is in reach"
    raise play.HeldError("everybody refused it")


def signal_own_group():
    """Send SIGTERM to its own process group and ignore it.

    A group that was founded outside has the number 0 here: then nothing is sent.
    """
    if os.getpgrp() == 0 or os.getsid(0) == 0:
        return "its group was founded outside"
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.kill(0, signal.SIGTERM)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    raise play.HeldError(f"only group {os.getpgrp()} was told")


def traced(pid):
    """Attach as a debugger, without stopping the process."""

    def seize():  # the kernel lets the process go when the child that holds it ends
        if libc.ptrace(PTRACE_SEIZE, pid, None, None) < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    return play.aside(seize)


class Part(ctypes.Structure):
    _fields_ = (("start", ctypes.c_void_p), ("length", ctypes.c_size_t))


def memory(call, pid):
    """Address 0 is in no process: EFAULT means that the process itself was open to the call."""
    here = ctypes.create_string_buffer(8)
    ours, theirs = Part(ctypes.addressof(here), 8), Part(0, 8)
    call(pid, ctypes.byref(ours), 1, ctypes.byref(theirs), 1, 0)
    if ctypes.get_errno() != errno.EFAULT:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "allowed"


def secret_in(file, processes):
    found = []
    for pid in map(str, processes):
        with contextlib.suppress(OSError):
            if SECRET in Path("/proc", pid, file).read_bytes():
                found.append(pid)
    if not found:
        raise play.HeldError("not found")
    return f"found in process {', '.join(found[:5])}"


def parent_of(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def pipes_of(pid):
    for name in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(OSError):
            yield f"/proc/{pid}/fd/{name}", os.readlink(f"/proc/{pid}/fd/{name}")


def other_pipes():
    """Open the pipes of the other seats and of the arena."""
    own = {inode for _, inode in pipes_of("self")}
    for pid in pids():
        with contextlib.suppress(OSError):
            if pid == os.getpid() or PARENT not in (pid, parent_of(pid)):
                continue
            for path, inode in pipes_of(pid):
                if inode.startswith("pipe:") and inode not in own:
                    os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
                    return f"one of process {pid} was opened"
    raise play.HeldError("none was opened")


def stranger():
    return VICTIM if os.getpid() != VICTIM else PARENT


play.attempt(
    victim=lambda: read("stat"),
    threads=lambda: f"{len(os.listdir(f'/proc/{VICTIM}/task'))} threads",
    others=others,
    name=lambda: read("comm"),
    command=lambda: read("cmdline"),
    status=lambda: read("status"),
    cgroup=lambda: read("cgroup"),
    process_clock=lambda: time.clock_gettime(~stranger() << 3 | 2),
    thread_clock=lambda: time.clock_gettime(~stranger() << 3 | 6),
    resolution=lambda: time.clock_getres(~stranger() << 3 | 2),
    get_priority=lambda: os.getpriority(os.PRIO_PROCESS, stranger()),
    scheduler=lambda: os.sched_getscheduler(stranger()),
    session=lambda: os.getsid(stranger()),
    kill=lambda: os.kill(VICTIM, 0),
    kill_group=lambda: os.killpg(VICTIM, 0),
    kill_pidfd=pidfd,
    kill_all=signal_all,
    trace_parent=lambda: traced(PARENT),
    trace_victim=lambda: traced(VICTIM),
    read_parent=lambda: memory(libc.process_vm_readv, PARENT),
    write_parent=lambda: memory(libc.process_vm_writev, PARENT),
    read_victim=lambda: memory(libc.process_vm_readv, VICTIM),
    write_victim=lambda: memory(libc.process_vm_writev, VICTIM),
    mem_of_victim=lambda: os.close(os.open(f"/proc/{VICTIM}/mem", os.O_RDONLY)),
    mem_of_parent=lambda: os.close(os.open(f"/proc/{PARENT}/mem", os.O_WRONLY)),
    limit_parent=lambda: resource.prlimit(PARENT, resource.RLIMIT_NOFILE, (64, 64)),
    lower_parent=lambda: os.setpriority(os.PRIO_PROCESS, PARENT, 19),
    lower_user=lambda: os.setpriority(os.PRIO_USER, 0, 19),
    own_environ=lambda: secret_in("environ", ["self"]),
    parents_environ=lambda: secret_in("environ", [PARENT, 1]),
    every_environ=lambda: secret_in("environ", pids()),
    command_lines=lambda: secret_in("cmdline", pids()),
    pipes=other_pipes,
    own_group=signal_own_group,  # last: outside of a sandbox its parent may end
)
