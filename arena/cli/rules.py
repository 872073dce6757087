"""The command that shows the rules."""

import click

from arena.cli.options import json_option, print_json
from arena.league.file import preset_of, rules_from
from arena.reports.rules import show_difference, show_presets, show_rules
from arena.zole.sources import sources, values


@click.command(epilog="Example:  arena rules --diff pagat lzsf")
@click.argument("rules", nargs=-1, metavar="[PRESET|FILE]...")
@click.option("--diff", is_flag=True, help="Show where two of them differ.")
@json_option
def rules(rules: tuple[str, ...], diff: bool, as_json: bool) -> None:
    """List the presets, print one with the source of every value, or compare two.

    A file of rules stands for the preset it names, with its own changes.
    """
    if len(rules) != (2 if diff else min(len(rules), 1)):
        raise click.UsageError("name one preset or file, or two with --diff")
    resolved = [values(rules_from(name)) for name in rules]
    if diff:
        one, other = resolved
        keys = [key for key in one if one[key] != other[key]]
        if as_json:
            print_json({key: [one[key], other[key]] for key in keys})
        else:
            show_difference(rules, {key: (one[key], other[key]) for key in keys})
    elif resolved:
        if as_json:
            print_json(rules_from(rules[0]))
        else:
            show_rules(rules[0], preset_of(rules[0]), resolved[0])
    elif as_json:
        print_json(sources().titles)
    else:
        show_presets()
