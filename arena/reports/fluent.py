"""Formats messages in Fluent, as far as the catalogues use its syntax.

The syntax is https://projectfluent.org/fluent/guide/, read by Mozilla's parser; the categories of
plurals are those of CLDR 48, https://cldr.unicode.org.
"""

from collections.abc import Callable, Mapping

from fluent.syntax import FluentParser, ast

_Expression = ast.InlineExpression | ast.Placeable | ast.SelectExpression


class Formatter:
    """The messages of one language with their values.

    `source` is a message as it is written, by name (`KeyError` for none); `number` is a number as
    it is printed; `card` is what `CARD` gives for a card, by its name on the wire, and a case.
    """

    def __init__(
        self,
        tag: str,
        source: Callable[[str], str],
        number: Callable[[float], str],
        card: Callable[..., str],
    ) -> None:
        self._tag = tag
        self._source, self._number, self._card = source, number, card
        self._parser = FluentParser(with_spans=False)
        self._patterns: dict[str, ast.Pattern] = {}

    def text(self, message: str, values: Mapping[str, str | float]) -> str:
        """A message with its values. Raises `KeyError` if it, or a value, is missing."""
        pattern = self._patterns.get(message)
        if pattern is None:
            entry = self._parser.parse_entry(self._source(message))
            assert isinstance(entry, ast.Message)
            assert entry.value is not None
            pattern = self._patterns[message] = entry.value
        return self._formatted(pattern, values)

    def _formatted(self, pattern: ast.Pattern, values: Mapping[str, str | float]) -> str:
        return "".join(
            each.value if isinstance(each, ast.TextElement) else self._shown(each, values)
            for each in pattern.elements
        )

    def _shown(self, placeable: ast.Placeable, values: Mapping[str, str | float]) -> str:
        value = self._value(placeable.expression, values)
        return value if isinstance(value, str) else self._number(value)

    def _value(self, expression: _Expression, values: Mapping[str, str | float]) -> str | float:
        match expression:
            case ast.StringLiteral():
                return str(expression.parse()["value"])
            case ast.VariableReference():
                return values[expression.id.name]
            case ast.MessageReference():
                return self.text(expression.id.name, values)
            case ast.FunctionReference():
                [argument], named = expression.arguments.positional, expression.arguments.named
                given = {each.name.name: str(each.value.parse()["value"]) for each in named}
                return self._card(str(self._value(argument, values)), **given)
            case ast.SelectExpression():
                return self._formatted(self._variant(expression, values).value, values)
        raise NotImplementedError(type(expression).__name__)

    def _variant(
        self, select: ast.SelectExpression, values: Mapping[str, str | float]
    ) -> ast.Variant:
        value = self._value(select.selector, values)
        name = value if isinstance(value, str) else plural(self._tag, value)
        for each in select.variants:
            if isinstance(each.key, ast.NumberLiteral):
                if each.key.parse()["value"] == value:
                    return each
            elif each.key.name == name:
                return each
        return next(each for each in select.variants if each.default)


def plural(tag: str, value: float) -> str:
    """The category of a number in a language, as CLDR names it."""
    whole, _, decimals = f"{abs(value):.3f}".rstrip("0").partition(".")
    number, last, few = int(whole), int(whole) % 10, int(whole) % 100
    teens = 10 < few < 20
    if decimals:
        if tag == "lv" and len(decimals) == 2 and decimals[0] == "1":
            return "zero" if decimals != "10" else "other"
        ones = decimals[-1] == "1" if tag == "lv" else tag == "fr" and number < 2
        return "one" if ones else "other"
    match tag:
        case "lv":
            return "zero" if last == 0 or teens else "one" if last == 1 else "other"
        case "ru":
            some = "one" if last == 1 else "few" if last in (2, 3, 4) else "many"
            return "many" if teens else some
        case "fr" if number and number % 1_000_000 == 0:
            return "many"
        case "fr":
            return "one" if number < 2 else "other"
    return "one" if number == 1 else "other"
