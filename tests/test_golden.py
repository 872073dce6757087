"""Generated files are what their generators make today."""

import pytest

from tests.golden import LIBSECCOMP, REMEDY, ROOT, files, libseccomp
from tests.support.solver import COMPILER, LINKER, SOLVER, compiler


@pytest.mark.parametrize("path", sorted({*files(), SOLVER}))
def test_a_generated_file_is_up_to_date(path: str) -> None:
    if path.endswith(".bpf") and libseccomp() != LIBSECCOMP:
        pytest.skip(f"needs libseccomp {'.'.join(map(str, LIBSECCOMP))}")
    if path == SOLVER and compiler() is None:
        pytest.skip(f"needs {COMPILER} and {LINKER}")
    assert (ROOT / path).read_bytes() == files()[path](), REMEDY
