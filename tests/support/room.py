"""What of a page does not fit into its window, as expressions for a browser."""

from typing import Final

CUT: Final = """[...document.querySelectorAll("button, h1, h2, h3, label, dd, .prompt, .status")]
    .filter((it) => it.checkVisibility() && it.scrollWidth > it.clientWidth + 1)
    .map((it) => it.textContent)"""
"""The texts that are cut off."""

WIDE: Final = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
"""The pixels by which a page is wider than its window."""

TORN: Final = """[...document.querySelectorAll("td")].filter((cell) => {
    const numbers = cell.textContent.match(/\\d+([.,]\\d+)?/g), range = document.createRange();
    range.selectNodeContents(cell);
    const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
    return numbers && !/[a-z]/i.test(cell.textContent) && lines.size > numbers.length;
}).map((cell) => cell.textContent)"""
"""The numbers of tables that are on more lines than they are."""
