"""A site's file: what is not said has a value, and every mistake is told with its line."""

from pathlib import Path

import pytest

from arena.base.errors import ArenaError
from arena.site.config import GuestLimits, Quotas, read_site


def written(folder: Path, text: str) -> Path:
    path = folder / "site.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_site_needs_a_league_and_nothing_else(tmp_path: Path) -> None:
    site = read_site(written(tmp_path, 'league = "ladder.toml"\n'))
    assert site.league == tmp_path / "ladder.toml"
    assert (site.title, site.address) == ("site", "http://127.0.0.1:8800")
    assert (site.host, site.port, site.trusted_proxy) == ("127.0.0.1", 8800, None)
    assert site.quotas == Quotas()
    assert site.registry == tmp_path / "site.site" / "registry" / "registry.db"


@pytest.mark.parametrize(
    ("listen", "address"),
    [
        ("127.0.0.1:8967", "http://127.0.0.1:8967"),
        ("0.0.0.0:80", "http://127.0.0.1:80"),
        ("[::1]:8967", "http://[::1]:8967"),
    ],
)
def test_links_lead_to_where_it_listens(listen: str, address: str, tmp_path: Path) -> None:
    site = read_site(written(tmp_path, f'league = "l.toml"\nlisten = "{listen}"\n'))
    assert site.address == address


def test_what_is_said_is_taken(tmp_path: Path) -> None:
    text = (
        'league = "leagues/ladder.toml"\ntitle = "Zole"\naddress = "https://zole.example/"\n'
        'listen = "[::1]:80"\ntrusted_proxy = "10.0.0.1"\n'
        "[quotas]\nuploads = 9\n[guests]\ntables = 0\n"
    )
    site = read_site(written(tmp_path, text))
    assert (site.title, site.address) == ("Zole", "https://zole.example")
    assert (site.host, site.port, site.trusted_proxy) == ("::1", 80, "10.0.0.1")
    assert site.quotas == Quotas(uploads=9)
    assert site.guests == GuestLimits(tables=0)


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
