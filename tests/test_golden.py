"""Generated files are what their generators make today."""

import pytest

from tests.golden import LIBSECCOMP, REMEDY, ROOT, files, libseccomp


@pytest.mark.parametrize("path", files())
def test_a_generated_file_is_up_to_date(path: str) -> None:
    if path.endswith(".bpf") and libseccomp() != LIBSECCOMP:
        pytest.skip(f"needs libseccomp {'.'.join(map(str, LIBSECCOMP))}")
    assert (ROOT / path).read_bytes() == files()[path](), REMEDY
