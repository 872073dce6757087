"""Generated files are what their generators make of them today."""

import pytest

from tests.golden import REMEDY, ROOT, files


@pytest.mark.parametrize("path", files())
def test_a_generated_file_is_up_to_date(path: str) -> None:
    assert (ROOT / path).read_bytes() == files()[path](), REMEDY
