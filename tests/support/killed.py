"""A process that is killed in the midst of something."""

import os
import signal
import traceback
from collections.abc import Callable


def die(*_: object, **__: object) -> None:
    """Kill this process, whatever it was to do."""
    os.kill(os.getpid(), signal.SIGKILL)


def killed(act: Callable[[], object]) -> None:
    """Do something in a child of this process that is killed before it is done."""
    child = os.fork()
    if child == 0:
        try:
            act()
        except BaseException:
            traceback.print_exc()
        os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL
