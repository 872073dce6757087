"""Commands about the accounts of a site, and about who did what there."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import click

from arena.base.errors import ArenaError, Mistake
from arena.base.words import count
from arena.cli.options import FILE, Whole, json_option, print_json, say
from arena.cli.serve_options import moment_in, opened_site, site_argument, why_option, zone_of

_MOST_BYTES: Final = 1 << 20
"""The size of a file of names."""


@click.command(epilog="Example:  arena serve invite site.toml Anna", no_args_is_help=True)
@site_argument
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--from",
    "file",
    type=FILE,
    metavar="FILE",
    help="Names from a file, one a line, or NAME, TEAM.",
)
@click.option("--places", type=Whole(1, 10_000), metavar="N", help="One link for N who come.")
@click.option("--team", default="", metavar="TEAM", help="The team that they enter.")
@json_option
def invite(
    site: Path,
    names: tuple[str, ...],
    file: Path | None,
    places: int | None,
    team: str,
    as_json: bool,
) -> None:
    """Invite people: prints a link for each NAME that works once.

    Within 14 days it makes an account of this name. The name is the author of all bots of the
    account. For an account that is there already, the link lets its owner in again, who lost the
    token or was shut out. With --places there is one link for all, who choose their names
    themselves until no place is left, and their teams, unless --team does.
    """
    from arena.base.refusals import Refusal
    from arena.site.registry import invitations as registry_invitations

    wanted = [(name, team) for name in names]
    wanted += [] if file is None else [(name, own or team) for name, own in _names_in(file)]
    if bool(wanted) == (places is not None):
        what = "either names or --places"
        raise ArenaError(Mistake(what, "", "one link for a class: --places 60"))
    _refuse_doubles([name for name, _ in wanted])
    links: list[_Link] = []
    known: list[str] = []
    refused: list[Mistake] = []
    with opened_site(site) as (found, registry):
        for name, of in wanted or [("", team)]:
            try:
                if places is None:
                    code = registry_invitations.invite(registry, name, of)
                else:
                    code = registry_invitations.invite_class(registry, places, of)
            except Refusal as why:
                refused.append(Mistake(why.what, name, why.remedy))
                continue
            made = registry_invitations.invitation(registry, code)
            links.append(_Link(name, f"{found.address}/join/{code}", made.until))
            known += [name] if made.known else []
    if as_json and links:
        shown = [each._asdict() for each in links]
        print_json(shown if wanted[1:] else shown[0])
    elif links:
        for each in links:
            say(f"{each.link}  {each.name}" if wanted[1:] else each.link)
        which, who = "the link", f"{places} people" if places else links[0].name
        if len(wanted) > 1:
            which, who = "each link", "one person"
        say(f"{which} lets {who} in, until {moment_in(zone_of(found), links[0].until)}", err=True)
    if known:
        told = "here already, so the link only lets them in again, as what they are"
        say(f"{told}: {', '.join(known)}", err=True)
    if refused:
        raise ArenaError(*refused)


class _Link(NamedTuple):
    """A link of an invitation, and until when it is good; "" is the name of whoever comes."""

    name: str
    link: str
    until: float


def _names_in(file: Path) -> list[tuple[str, str]]:
    """The names in a file, one a line, each with the team behind a comma, or ""; # is a comment."""
    from arena.base.files import read_text

    text = read_text(file, _MOST_BYTES).splitlines()
    lines = (line.partition("#")[0].partition(",") for line in text)
    return [(name.strip(), team.strip()) for name, _, team in lines if name.strip()]


def _refuse_doubles(names: Sequence[str]) -> None:
    """Raise `ArenaError` for equal names: the later link would end the earlier one."""
    from arena.bots.names import name_key

    likenesses = [name_key(name) for name in names]
    doubles = [
        Mistake(f"this name is there already, as {names[first]}", name)
        for place, name in enumerate(names)
        if (first := likenesses.index(likenesses[place])) < place
    ]
    if doubles:
        raise ArenaError(*doubles)


@click.command(epilog="Example:  arena serve accounts site.toml", no_args_is_help=True)
@site_argument
@json_option
def accounts(site: Path, as_json: bool) -> None:
    """List accounts, their bots, and open invitations."""
    from arena.site.accounts import AccountLine, show_accounts
    from arena.site.registry import accounts as registry_accounts
    from arena.site.registry.bots import bots
    from arena.site.registry.invitations import invitations
    from arena.site.registry.tokens import tokens

    with opened_site(site) as (found, registry):
        known = [
            AccountLine(
                each,
                max((token.used or "" for token in tokens(registry, each)), default=""),
                tuple(
                    bot.name for bot in bots(registry, each) if bot.state in ("playing", "benched")
                ),
            )
            for each in registry_accounts.accounts(registry)
        ]
        invited, zone = invitations(registry), zone_of(found)
    if as_json:
        print_json({"accounts": known, "invitations": invited})
    else:
        show_accounts(known, invited, zone)


@click.command(
    epilog="Example:  arena serve assign site.toml Anna Juris --team Blue", no_args_is_help=True
)
@site_argument
@click.argument("names", nargs=-1, required=True, metavar="ACCOUNT...")
@click.option("--team", required=True, metavar="TEAM", help="Their bots share no table.")
def assign(site: Path, names: tuple[str, ...], team: str) -> None:
    """Put accounts into a team; '' takes them out of theirs."""
    from arena.site.registry import accounts as registry_accounts

    with opened_site(site) as (_, registry):
        there = registry_accounts.team_names(registry)
        registry_accounts.assign(registry, names, team)
    new = "" if team in ("", *there) else ", which is new"
    say(f"{', '.join(names)}: team {team or 'none'}{new}", err=True)


@click.command(
    epilog="Example:  arena serve revoke site.toml Anna --why spam", no_args_is_help=True
)
@site_argument
@click.argument("name", metavar="ACCOUNT", required=False)
@why_option
@click.option("--bots", "with_bots", is_flag=True, help="Take its bots out of the field, too.")
@click.option("--links", is_flag=True, help="End the links for whoever comes, and no account.")
def revoke(site: Path, name: str | None, why: str, with_bots: bool, links: bool) -> None:
    """Shut an account out.

    Its tokens and sessions end, and its uploads are not looked at. An invitation of the name ends
    as well. Invite the same name to let it in again.
    """
    from arena.site.registry import accounts as registry_accounts
    from arena.site.registry.bots import bots
    from arena.site.registry.invitations import end_class_invitations
    from arena.site.registry.requests import Withdraw, request

    if links == (name is not None):
        raise ArenaError(Mistake("either an account or --links"))
    with opened_site(site) as (_, registry):
        if name is None:
            ended = end_class_invitations(registry)
            say(f"ended: {count(ended, 'link')} for whoever comes", err=True)
            return
        account = registry_accounts.revoke(registry, name, why)
        for bot in bots(registry, account) if with_bots and account is not None else ():
            if bot.state in ("playing", "benched", "next_season"):
                request(registry, account, Withdraw(bot.name))
    say(f"{name} is shut out{' with all bots' if with_bots else ''}", err=True)


@click.command(epilog="Example:  arena serve audit site.toml --who Anna", no_args_is_help=True)
@site_argument
@click.option("--who", metavar="ACCOUNT", help="Only what this account did.")
@click.option("--before", type=Whole(1), metavar="N", help="Only events before this number.")
@click.option("--most", type=Whole(1, 10_000), default=100, show_default=True, metavar="N")
@json_option
def audit(site: Path, who: str | None, before: int | None, most: int, as_json: bool) -> None:
    """List who changed what, the newest first."""
    from arena.site.registry import audit as registry_audit

    with opened_site(site) as (found, registry):
        zone = zone_of(found)
        events = registry_audit.audit(registry, who, before, most)
    if as_json:
        print_json(events)
        return
    for each in events:
        at = moment_in(zone, each.at)
        say(f"{each.number:>6}  {at}  {each.who}: {each.what} {each.about}")
