"""The value of `--cluster` is understood, or refused in one line."""

import pytest

from arena.base.errors import ArenaError
from arena.cluster.scheduler import read_address


def test_a_cluster_is_a_scheduler_or_a_number_of_workers_here() -> None:
    assert read_address("local:12") == 12
    assert read_address("tls://there:8786") == "tls://there:8786"


@pytest.mark.parametrize(
    "text", ["local:²", "local:٣", "local:0", "local:-1", "local:" + "9" * 5000]
)
def test_no_other_number_of_workers_is_taken(text: str) -> None:
    with pytest.raises(ArenaError, match=" is not a cluster; "):
        read_address(text)
