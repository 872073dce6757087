"""A site's file: what is not said has a value, and every mistake is told with its line."""

from pathlib import Path

import pytest

from arena.base.errors import ArenaError
from arena.site.config import GuestLimits, Quotas, read_site


def written(folder: Path, text: str) -> Path:
    path = folder / "site.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (
            'league = "ladder.toml"\n',
            {
                "league_file": "ladder.toml",
                "title": "Zole: ladder",
                "quotas": Quotas(),
                "address": "http://127.0.0.1:8800",
                "host": "127.0.0.1",
                "port": 8800,
                "trusted_proxy": None,
            },
        ),
        *(
            (f'league = "l.toml"\nlisten = "{listen}"\n', {"address": address})
            for listen, address in (
                ("127.0.0.1:8967", "http://127.0.0.1:8967"),
                ("0.0.0.0:80", "http://127.0.0.1:80"),
                ("[::1]:8967", "http://[::1]:8967"),
            )
        ),
        (
            'league = "leagues/ladder.toml"\ntitle = "Zole"\naddress = "https://zole.example/"\n'
            'listen = "[::1]:80"\ntrusted_proxy = "10.0.0.1"\n'
            "[quotas]\nuploads = 9\n[guests]\ntables = 0\n",
            {
                "title": "Zole",
                "address": "https://zole.example",
                "host": "::1",
                "port": 80,
                "trusted_proxy": "10.0.0.1",
                "quotas": Quotas(uploads=9),
                "guests": GuestLimits(tables=0),
            },
        ),
    ],
)
def test_what_is_said_is_taken_and_all_but_the_league_has_a_value(
    text: str, values: dict[str, object], tmp_path: Path
) -> None:
    site = read_site(written(tmp_path, text))
    assert {name: getattr(site, name) for name in values} == values
    assert site.league == tmp_path / site.league_file
    assert site.registry == tmp_path / "site.site" / "registry" / "registry.db"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "league is missing"),
        ('league = "x.db"', "site.toml:1: x.db is not the file of a league"),
        ('league = "site.toml"', "site.toml:1: site.toml is not the file of a league"),
        ('bots = ["a"]', "this is the file of a league, not of a site"),
        ('format = "open"', "this is the file of a league, not of a site; name the site's file"),
        ('run = ["a"]', "this is the file of a bot, not of a site"),
        ('league = "l.toml"\nleage = 1', "site.toml:2: unknown key leage; did you mean league?"),
        ('league = "l.toml"\nlisten = "8800"', "site.toml:2: 8800 is not an address to listen at"),
        ('league = "l.toml"\nlisten = "x:1"', "x:1 is not an address to listen at"),
        ('league = "l.toml"\nlisten = "127.0.0.1:70000"', "is not an address to listen at"),
        ('league = "l.toml"\naddress = "zole.example"', "does not begin with https://"),
        ('league = "l.toml"\naddress = "https://[zole"', "is not a valid address"),
        ('league = "l.toml"\naddress = "https://a.example/b"', "more than a name and a port"),
        ('league = "l.toml"\naddress = "https://me@a.example"', "more than a name and a port"),
        ('league = "l.toml"\naddress = "http://a.example"', "would send tokens in clear"),
        ('league = "l.toml"\ntrusted_proxy = "proxy"', "not the address of a machine"),
        ('league = "l.toml"\n[quotas]\nbots = 0', "bots must be a whole number of at least 1"),
        ('league = "l.toml"\n[guests]\ndeals = 0', "deals must be a whole number of at least 1"),
        ('league = "l.toml"\nabout = "a.md"', "site.toml:2: there is no file a.md"),
        ('league = "l.toml"\ncluster = "x:1"', "x:1 is not the address of a scheduler"),
        ('league = "l.toml"\n[quotas]\nbot = 1', "site.toml:3: unknown key bot in [quotas]"),
    ],
)
def test_a_mistake_is_told(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ArenaError) as told:
        read_site(written(tmp_path, text))
    assert said in str(told.value)


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    text = 'listen = "x"\naddress = "x"\ntrusted_proxy = "x"\ntitle = 1\n'
    with pytest.raises(ArenaError) as told:
        read_site(written(tmp_path, text))
    assert len(told.value.mistakes) == 5


def test_a_file_of_another_kind_is_no_site(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match=r"ends in \.toml"):
        read_site(tmp_path / "ladder.db")
