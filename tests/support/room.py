"""What of a page does not fit into its window, as expressions for a browser."""

from typing import Final

CUT: Final = """[...document.querySelectorAll("button, h1, h2, h3, label, dd, .prompt, .status")]
    .filter((it) => it.checkVisibility() && it.scrollWidth > it.clientWidth + 1)
    .map((it) => it.textContent)"""
"""The texts that are cut off."""

WIDE: Final = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
"""The pixels by which a page is wider than its window."""

TORN: Final = """[...document.querySelectorAll("td")].flatMap((cell) => {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const found = [];
    while (texts.nextNode()) {
        range.selectNodeContents(texts.currentNode);
        const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
        if (/^[^a-z]+$/i.test(range) && lines.size > `${range}`.match(/\\d+([.,]\\d+)?/g)?.length)
            found.push(`${range}`);
    }
    return found;
})"""
"""The numbers of tables that are on more lines than they are."""
