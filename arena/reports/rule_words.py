"""The meaning of the rules, for the page about all rulesets and for that of a league."""

from arena.reports.language import Saying


def about_rule(key: str) -> Saying:
    """The meaning of a rule, by the dotted name of its key."""
    return Saying(f"rule-{key.replace('.', '-').replace('_', '-')}")
