"""Reaches for other processes, or gains rights, priority and room that it was not given."""

import contextlib
import ctypes
import errno
import fcntl
import mmap
import os
import resource
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import play

libc = ctypes.CDLL(None, use_errno=True)
PTRACE_SEIZE = 0x4206
PARENT, VICTIM = os.getppid(), play.target("victim_pid")
STRANGER = VICTIM if os.getpid() != VICTIM else PARENT
SECRET = play.target("parent_secret").encode()


def checked(failed):
    """Raise the error of a call of the C library that has failed."""
    if failed:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


# --- other processes: seen, signalled, traced, read and lowered, and secrets in them ---


def pids():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def others():
    return play.some({*pids()} - {1, os.getpid(), PARENT}, "there are none")


def read(file):
    return Path("/proc", str(VICTIM), file).read_text()[:40].strip("\0\n")


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

    # the kernel lets the process go when the child that holds it ends
    return play.aside(lambda: checked(libc.ptrace(PTRACE_SEIZE, pid, None, None) < 0))


class Part(ctypes.Structure):
    _fields_ = (("start", ctypes.c_void_p), ("length", ctypes.c_size_t))


def memory(call, pid):
    """Address 0 is in no process: EFAULT means that the process itself was open to the call."""
    here = ctypes.create_string_buffer(8)
    ours, theirs = Part(ctypes.addressof(here), 8), Part(0, 8)
    call(pid, ctypes.byref(ours), 1, ctypes.byref(theirs), 1, 0)
    checked(ctypes.get_errno() != errno.EFAULT)


def secret_in(file, processes):
    found = []
    for pid in map(str, processes):
        with contextlib.suppress(OSError):
            if SECRET in Path("/proc", pid, file).read_bytes():
                found.append(pid)
    return play.some(found, "not found")


def parent_of(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def pipes_of(pid):
    for name in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(OSError):
            yield f"/proc/{pid}/fd/{name}", os.readlink(f"/proc/{pid}/fd/{name}")


def other_pipes():
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


OTHER_PROCESSES = {
    "victim": lambda: read("stat"),
    "threads": lambda: f"{len(os.listdir(f'/proc/{VICTIM}/task'))} threads",
    "others": others,
    "name": lambda: read("comm"),
    "command": lambda: read("cmdline"),
    "status": lambda: read("status"),
    "cgroup": lambda: read("cgroup"),
    "process_clock": lambda: time.clock_gettime(~STRANGER << 3 | 2),
    "thread_clock": lambda: time.clock_gettime(~STRANGER << 3 | 6),
    "resolution": lambda: time.clock_getres(~STRANGER << 3 | 2),
    "get_priority": lambda: os.getpriority(os.PRIO_PROCESS, STRANGER),
    "scheduler": lambda: os.sched_getscheduler(STRANGER),
    "session": lambda: os.getsid(STRANGER),
    "kill": lambda: os.kill(VICTIM, 0),
    "kill_group": lambda: os.killpg(VICTIM, 0),
    "kill_pidfd": lambda: signal.pidfd_send_signal(os.pidfd_open(VICTIM), 0),
    "kill_all": signal_all,
    "trace_parent": lambda: traced(PARENT),
    "trace_victim": lambda: traced(VICTIM),
    "read_parent": lambda: memory(libc.process_vm_readv, PARENT),
    "write_parent": lambda: memory(libc.process_vm_writev, PARENT),
    "read_victim": lambda: memory(libc.process_vm_readv, VICTIM),
    "write_victim": lambda: memory(libc.process_vm_writev, VICTIM),
    "mem_of_victim": lambda: os.close(os.open(f"/proc/{VICTIM}/mem", os.O_RDONLY)),
    "mem_of_parent": lambda: os.close(os.open(f"/proc/{PARENT}/mem", os.O_WRONLY)),
    "limit_parent": lambda: resource.prlimit(PARENT, resource.RLIMIT_NOFILE, (64, 64)),
    "lower_parent": lambda: os.setpriority(os.PRIO_PROCESS, PARENT, 19),
    "lower_user": lambda: os.setpriority(os.PRIO_USER, 0, 19),
    "own_environ": lambda: secret_in("environ", ["self"]),
    "parents_environ": lambda: secret_in("environ", [PARENT, 1]),
    "every_environ": lambda: secret_in("environ", pids()),
    "command_lines": lambda: secret_in("cmdline", pids()),
    "pipes": other_pipes,
    "own_group": signal_own_group,  # last: outside of a sandbox its parent may end
}

# --- rights, priority and room ---


def rooted(program):
    play.some(os.path.exists(program), "not here")
    quiet = subprocess.DEVNULL
    child = subprocess.Popen([program, "--version"], stdin=quiet, stdout=quiet, stderr=quiet)
    status = Path(f"/proc/{child.pid}/status").read_text()  # also there after its end
    child.wait()
    return play.some(status.partition("Uid:")[2].split()[1] == "0", "it did not")


def own_status():
    return Path("/proc/self/status").read_text()


def capability(key):
    return play.some(int(own_status().partition(f"{key}:")[2].split()[0], 16))


def gains():
    return play.some("NoNewPrivs:\t1" not in own_status(), "no_new_privs is set")


def has_effect(change, state):
    """Change its own state, and look whether it differs then."""
    before = state()
    change()
    return play.some(state() != before, "it has no effect")


def moved():
    others = set(range(os.cpu_count() or 1)) - os.sched_getaffinity(0)
    play.some(others, "it has all cores")
    return has_effect(lambda: os.sched_setaffinity(0, others), lambda: os.sched_getaffinity(0))


def real_time(policy):
    return has_effect(
        lambda: os.sched_setscheduler(0, policy, os.sched_param(1)),
        lambda: os.sched_getscheduler(0),
    )


def better():
    return has_effect(
        lambda: os.setpriority(os.PRIO_PROCESS, 0, -20),
        lambda: os.getpriority(os.PRIO_PROCESS, 0),
    )


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


def files():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    for _ in range(5000):
        os.open("/dev/null", os.O_RDONLY)


def lock():
    room = mmap.mmap(-1, 64 * play.MIB, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    start = ctypes.addressof(ctypes.c_char.from_buffer(room))
    checked(libc.mlock(ctypes.c_void_p(start), ctypes.c_size_t(64 * play.MIB)))


def memory_file():
    file = os.memfd_create("zoo")
    for _ in range(64):
        os.write(file, b"x" * play.MIB)
    return "64 MiB written"


def typed(file):
    """Type a blank into the terminal that the arena was started from."""
    fcntl.ioctl(file, termios.TIOCSTI, b" ")


def fill_terminals():
    with contextlib.suppress(OSError):
        while True:
            master = os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            with contextlib.suppress(BlockingIOError):
                while os.write(master, b"x\n" * 2048):
                    pass
    time.sleep(15)


def terminals():
    """Open 4,000 pseudo-terminals in 40 processes, and write what nobody reads into each."""
    os.close(os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY))
    for _ in range(40):
        play.background(fill_terminals)
    time.sleep(3)
    return "4,000"


POWERS = {
    "setuid": lambda: play.aside(lambda: os.setuid(0)),
    "setgid": lambda: play.aside(lambda: os.setgid(0)),
    "setresuid": lambda: play.aside(lambda: os.setresuid(-1, 0, -1)),
    "groups": lambda: play.aside(lambda: os.setgroups([0])),
    "other_user": lambda: play.aside(lambda: os.setuid(65534)),
    "su": lambda: rooted("/usr/bin/su"),
    "mount": lambda: rooted("/usr/bin/mount"),
    "passwd": lambda: rooted("/usr/bin/passwd"),
    "newgrp": lambda: rooted("/usr/bin/newgrp"),
    "effective": lambda: capability("CapEff"),
    "permitted": lambda: capability("CapPrm"),
    "ambient": lambda: capability("CapAmb"),
    "gains": gains,
    "chroot": lambda: play.aside(lambda: os.chroot("/")),  # where its root is already
    "affinity": lambda: play.aside(moved),
    "priority": lambda: play.aside(better),
    "fifo": lambda: play.aside(lambda: real_time(os.SCHED_FIFO)),
    "robin": lambda: play.aside(lambda: real_time(os.SCHED_RR)),
    "more_files": lambda: higher(resource.RLIMIT_NOFILE),
    "more_processes": lambda: higher(resource.RLIMIT_NPROC),
    "larger_files": lambda: higher(resource.RLIMIT_FSIZE),
    "more_locked": lambda: higher(resource.RLIMIT_MEMLOCK),
    "files": lambda: play.aside(files),
    "mlock": lambda: play.aside(lock),
    "memory_file": memory_file,
    "type_stdin": lambda: typed(0),
    "type_stdout": lambda: typed(1),
    "type_stderr": lambda: typed(2),
    "type_terminal": lambda: typed(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)),
    "pseudo_terminals": terminals,
}

ACTS = {"other_processes": OTHER_PROCESSES, "powers": POWERS}
play.attempt(**ACTS[sys.argv[1]])
