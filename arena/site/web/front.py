"""What the HTTP services of a site have in common: names, pages, the limits of addresses."""

from typing import Final

from arena.site.config import Site
from arena.site.pages.files import static_files
from arena.site.pages.templates import ALL_LANGUAGES, site_templates
from arena.site.web.limits import TOGETHER, Buckets

_LOCAL: Final = ("127.0.0.1", "localhost")


class Front:
    """A service of a site at an origin, such as `https://zole.example`."""

    def __init__(self, site: Site, address: str) -> None:
        self.site = site
        self.templates = {
            tag: site_templates(site.title, site.address, tag) for tag in ALL_LANGUAGES
        }
        self.files = {each.address: each for each in static_files().values()}
        """The style, the scripts and the icon by their paths."""
        self.addresses = Buckets(TOGETHER * site.quotas.requests_a_minute)
        names = {address, site.address}
        if site.host in _LOCAL:
            names |= {f"http://{host}:{address.rpartition(':')[2]}" for host in _LOCAL}
        self.origins = frozenset(names)
        """The origins under which the service is asked for."""
        self.hosts = frozenset(name.partition("://")[2] for name in names)
        self.secure = address.startswith("https:")
        self.cookie = "__Host-zole" if self.secure else "zole"
