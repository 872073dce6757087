"""How a number and the thing it counts are written."""


def count(number: int, noun: str) -> str:
    """`1 deal`, `2 deals`, `3 matches`; thousands have no separator."""
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun}{'es' if noun.endswith(('ch', 's', 'x')) else 's'}"
