"""Generated files are what their generators make today."""

from itertools import zip_longest

import pytest

from tools.golden import LIBSECCOMP, REMEDY, ROOT, files, libseccomp
from tools.solver import COMPILER, LINKER, SOLVER, compiler


@pytest.mark.parametrize("path", sorted({*files(), SOLVER}))
def test_a_generated_file_is_up_to_date(path: str) -> None:
    if path.endswith(".bpf") and libseccomp() != LIBSECCOMP:
        pytest.skip(f"needs libseccomp {'.'.join(map(str, LIBSECCOMP))}")
    if path == SOLVER and compiler() is None:
        pytest.skip(f"needs {COMPILER} and {LINKER}")
    kept, made = (ROOT / path).read_bytes(), files()[path]()
    if kept != made:
        pairs = zip_longest(kept.splitlines(keepends=True), made.splitlines(keepends=True))
        number, pair = next(it for it in enumerate(pairs, 1) if it[1][0] != it[1][1])
        pytest.fail(f"{path}:{number}: {pair[0]!r:.200} is now {pair[1]!r:.200}; {REMEDY}")
