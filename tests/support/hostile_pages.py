"""SQLite files whose pages a stranger has joined anew: trees, overflow chains, free lists, tables.

By SQLite's own description of its file format. What a page is, is read from the sound file; what
is written into it keeps the form of a page, so that SQLite follows it as far as it can.
"""

import random
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, NamedTuple

_TABLE_INNER, _INDEX_INNER, _TABLE_LEAF, _INDEX_LEAF = 5, 2, 13, 10
_INNER: Final = (_TABLE_INNER, _INDEX_INNER)
_KINDS: Final = (*_INNER, _TABLE_LEAF, _INDEX_LEAF)
_HEADER: Final = 100
"""Bytes before the first page's own header."""

_DEEPEST: Final = 18
"""Levels of a lattice: SQLite follows no more than twenty pages down."""

HUGE: Final = (0, 1, 127, 0xFFFF, 1 << 24, (1 << 31) - 1, 1 << 31, (1 << 32) - 1)


class Cell(NamedTuple):
    """Where a cell's parts lie in the file: pointers of four bytes, and the payload's size."""

    child: int | None
    size: int | None
    record: int | None
    overflow: int | None


class Pages:
    """The pages of a small file, to be changed in place."""

    def __init__(self, whole: bytes) -> None:
        self.whole = bytearray(whole)
        self.page = int.from_bytes(whole[16:18], "big")
        self.number = len(whole) // self.page
        self.trees = [each for each in range(1, self.number + 1) if self._is_tree(each)]

    def start(self, page: int) -> int:
        """Where a page's own header begins."""
        return (page - 1) * self.page + (_HEADER if page == 1 else 0)

    def kind(self, page: int) -> int:
        """Of which of four kinds a b-tree's page is."""
        return self.whole[self.start(page)]

    def pointers(self, page: int) -> list[int]:
        """Where the pointers to a page's children lie, the rightmost last."""
        if self.kind(page) not in _INNER:
            return []
        cells = [each.child for each in self.cells(page) if each.child is not None]
        return [*cells, self.start(page) + 8]

    def cells(self, page: int) -> list[Cell]:
        """A page's cells, as far as they lie in the page."""
        found: list[Cell] = []
        begin, kind = self.start(page), self.kind(page)
        places = begin + (12 if kind in _INNER else 8)
        for number in range(self.get(begin + 3, 2)):
            at = (page - 1) * self.page + self.get(places + 2 * number, 2)
            if at + 8 > page * self.page:
                continue
            child, size, record, overflow = at if kind in _INNER else None, None, None, None
            at += 4 * (child is not None)
            if kind != _TABLE_INNER:
                size = at
                payload, at = self._varint(at)
                at = self._varint(at)[1] if kind == _TABLE_LEAF else at
                record, here = at, self._here(payload, kind)
                overflow = at + here if here < payload else None
            found.append(Cell(child, size, record, overflow))
        return found

    def get(self, at: int, length: int = 4) -> int:
        """A number as SQLite stores it."""
        return int.from_bytes(self.whole[at : at + length], "big")

    def put(self, at: int, number: int, length: int = 4) -> None:
        """Write a number as SQLite stores it."""
        self.whole[at : at + length] = (number % (1 << 8 * length)).to_bytes(length, "big")

    def add(self, content: bytes) -> int:
        """A new page at the end of the file: its number."""
        self.whole += content.ljust(self.page, b"\0")
        self.number += 1
        self.put(28, self.number)
        return self.number

    def inner(self, kind: int, children: list[int], last: int, keys: bytes) -> bytes:
        """An inner page whose cells point to the children, each with the bytes of a key."""
        size = 4 + len(keys)
        begin = self.page - size * len(children)
        head = bytes([kind, 0, 0]) + len(children).to_bytes(2, "big") + begin.to_bytes(2, "big")
        places = b"".join((begin + size * n).to_bytes(2, "big") for n in range(len(children)))
        cells = b"".join(child.to_bytes(4, "big") + keys for child in children)
        whole = head + b"\0" + last.to_bytes(4, "big") + places
        return whole.ljust(begin, b"\0") + cells

    def lattice(self, root: int, levels: int, width: int) -> None:
        """Hang a tree that is a leaf below levels of pages that have one child many times over."""
        kind = _TABLE_INNER if self.kind(root) in (_TABLE_LEAF, _TABLE_INNER) else _INDEX_INNER
        begin = (root - 1) * self.page
        child = self.add(bytes(self.whole[begin : begin + self.page]))
        keys = b"\x01" if kind == _TABLE_INNER else b"\x02\x02\x08"  # rowid 1; a record of one 0
        most = (self.page - 12) // (6 + len(keys))
        for _ in range(levels - 1):
            child = self.add(self.inner(kind, [child] * min(width, most), child, keys))
        top = self.inner(kind, [child] * min(width, most), child, keys)
        self.whole[begin : begin + self.page] = top

    def leaf(self, cells: list[bytes]) -> bytes:
        """A leaf of a table with these cells."""
        begin = self.page - sum(map(len, cells))
        head = bytes([_TABLE_LEAF, 0, 0]) + b"".join(
            each.to_bytes(2, "big") for each in (len(cells), begin)
        )
        places, at = b"", begin
        for cell in cells:
            places, at = places + at.to_bytes(2, "big"), at + len(cell)
        return (head + b"\0" + places).ljust(begin, b"\0") + b"".join(cells)

    def _here(self, payload: int, kind: int) -> int:
        """How many bytes of a payload lie in its cell."""
        most = self.page - 35 if kind == _TABLE_LEAF else (self.page - 12) * 64 // 255 - 23
        least = (self.page - 12) * 32 // 255 - 23
        over = least + (payload - least) % (self.page - 4)
        return payload if payload <= most else over if over <= most else least

    def _varint(self, at: int) -> tuple[int, int]:
        """A number of one to nine bytes, and where it ends."""
        number = 0
        for place in range(at, min(at + 8, len(self.whole))):
            number = number << 7 | self.whole[place] & 0x7F
            if self.whole[place] < 0x80:
                return number, place + 1
        return number, at + 9

    def _is_tree(self, page: int) -> bool:
        begin = self.start(page)
        cells, at = self.get(begin + 3, 2), self.get(begin + 5, 2)
        return self.kind(page) in _KINDS and 0 < cells < self.page // 4 and 8 <= at < self.page


def joined_anew(whole: bytes, seed: int) -> tuple[str, bytes]:
    """A file of SQLite with one to three of its joints changed by a seed, and how it was done."""
    chance = random.Random(seed)
    pages, told = Pages(whole), []
    for _ in range(chance.choice((1, 1, 2, 3))):
        change = chance.choice(_CHANGES)
        change(pages, chance)
        told.append(change.__name__.strip("_"))
    return f"seed {seed}: {' and '.join(told)}", bytes(pages.whole)


def written_ahead(whole: bytes, changed: bytes) -> tuple[bytes, bytes]:
    """A file of SQLite, and the write-ahead log by which its readers see another content."""
    size = Pages(whole).page
    salts = b"from" + b"afar"
    logged = struct.pack(">4I", 0x377F0683, 3007000, size, 0) + salts
    summed = _log_sum(logged, (0, 0))
    logged += struct.pack(">2I", *summed)
    pages = range(len(changed) // size)
    for place in pages:
        page = changed[place * size : (place + 1) * size]
        if place == 0:
            page = _in_log_mode(page)
        head = struct.pack(">2I", place + 1, len(pages) if place == pages[-1] else 0)
        summed = _log_sum(page, _log_sum(head, summed))
        logged += head + salts + struct.pack(">2I", *summed) + page
    return _in_log_mode(whole), logged


def _in_log_mode(whole: bytes) -> bytes:
    return whole[:18] + b"\2\2" + whole[20:]


def _log_sum(content: bytes, before: tuple[int, int]) -> tuple[int, int]:
    """SQLite's sum of a log so far, as two numbers, with more of its content."""
    one, other = before
    words = struct.unpack(f">{len(content) // 4}I", content)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + other) & 0xFFFFFFFF
        other = (other + second + one) & 0xFFFFFFFF
    return one, other


def _child(pages: Pages, chance: random.Random) -> None:
    """A child is the page itself, its parent, its sibling, or any page."""
    inner = [each for each in pages.trees if pages.kind(each) in _INNER]
    if not inner:
        return
    page = chance.choice(inner)
    places = pages.pointers(page)
    others = [page, pages.get(chance.choice(places)), chance.randint(1, pages.number)]
    for place in places if chance.random() < 0.3 else [chance.choice(places)]:
        pages.put(place, chance.choice([*others, chance.choice(HUGE)]))


def _deep_lattice(pages: Pages, chance: random.Random) -> None:
    """A root or another page is hung below more paths than anybody can walk."""
    pages.lattice(
        chance.choice(pages.trees), chance.randint(2, _DEEPEST), chance.choice((2, 8, 99))
    )


def _bounded_lattice(pages: Pages, chance: random.Random) -> None:
    """A lattice of some thousands of paths: not endless, but more rows than the file has."""
    pages.lattice(chance.choice(pages.trees), chance.randint(2, 5), chance.choice((3, 5, 9)))


def _overflow(pages: Pages, chance: random.Random) -> None:
    """A chain of overflow pages is shared, cyclic, or leads into a tree."""
    chains = [each.overflow for page in pages.trees for each in pages.cells(page) if each.overflow]
    if not chains:
        return
    place = chance.choice(chains)
    first = pages.get(place)
    match chance.randrange(4):
        case 0:  # it is its own next page
            pages.put((first - 1) * pages.page, first)
        case 1:  # all chains are this one
            for each in chains:
                pages.put(each, first)
        case 2:
            pages.put(place, chance.choice([*pages.trees, *HUGE]))
        case _:
            pages.put((first - 1) * pages.page, chance.randint(1, pages.number))


def _payload(pages: Pages, chance: random.Random) -> None:
    """A cell is of gigabytes, and its chain goes round in a ring."""
    cells = [each for page in pages.trees for each in pages.cells(page) if each.size]
    for cell in chance.sample(cells, min(len(cells), chance.choice((1, 1, 99)))):
        assert cell.size is not None
        length = chance.randint(1, 5)
        digits = bytes(chance.randrange(128) | 0x80 for _ in range(length - 1))
        pages.whole[cell.size : cell.size + length] = digits + bytes([chance.randrange(128)])
    for page in range(2, pages.number + 1):
        if page not in pages.trees and chance.random() < 0.3:
            pages.put((page - 1) * pages.page, page)


def _columns(pages: Pages, chance: random.Random) -> None:
    """The columns of a row are of other types and sizes."""
    cells = [each for page in pages.trees for each in pages.cells(page) if each.record]
    for cell in chance.sample(cells, min(len(cells), chance.choice((1, 3)))):
        assert cell.record is not None
        for _ in range(chance.randint(1, 4)):
            at = min(cell.record + chance.randrange(12), len(pages.whole) - 1)
            pages.whole[at] = chance.choice((0, 1, 9, 10, 127, 128, 255, chance.randrange(256)))


def _cells(pages: Pages, chance: random.Random) -> None:
    """A page has other cells: more of them, one many times over, or some of another page."""
    page = chance.choice(pages.trees)
    begin = pages.start(page)
    places = begin + (12 if pages.kind(page) in _INNER else 8)
    number = pages.get(begin + 3, 2)
    match chance.randrange(4):
        case 0:
            pages.put(begin + 3, chance.choice((0, number * 3, 0xFFFF)), 2)
        case 1:  # as many as there is room for, all the same
            more = (pages.page - 150) // 2
            for each in range(more):
                pages.put(places + 2 * each, pages.get(places, 2), 2)
            pages.put(begin + 3, more, 2)
        case 2:
            at = places + 2 * chance.randrange(number)
            pages.put(at, chance.randrange(1 << chance.choice((9, 16))), 2)
        case _:
            pages.put(begin + chance.choice((1, 5)), chance.randrange(1 << 16), 2)


def _kind(pages: Pages, chance: random.Random) -> None:
    """A page is of another kind."""
    pages.whole[pages.start(chance.choice(pages.trees))] = chance.choice((*_KINDS, 0, 7))


def _swap(pages: Pages, chance: random.Random) -> None:
    """Two pages are in each other's place, or one in both."""
    one, other = (pages.page * chance.randint(1, pages.number - 1) for _ in range(2))
    kept = bytes(pages.whole[one : one + pages.page])
    pages.whole[one : one + pages.page] = pages.whole[other : other + pages.page]
    if chance.random() < 0.7:
        pages.whole[other : other + pages.page] = kept


def _free(pages: Pages, chance: random.Random) -> None:
    """The list of free pages is its own next one, or has pages that are in use."""
    trunk = pages.add(b"") if chance.random() < 0.7 else chance.randint(2, pages.number)
    begin, some = (trunk - 1) * pages.page, chance.randint(1, 40)
    pages.put(begin, chance.choice((trunk, trunk, 0, chance.choice(pages.trees))))
    pages.put(begin + 4, chance.choice((some, *HUGE)))
    for each in range(some):
        pages.put(begin + 8 + 4 * each, chance.choice((trunk, *range(2, pages.number))))
    pages.put(32, trunk)
    pages.put(36, chance.choice((some + 1, *HUGE)))


def _header(pages: Pages, chance: random.Random) -> None:
    """The file's header says something else of one thing or another."""
    at = chance.choice((16, 18, 19, 20, 21, 22, 23, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 92))
    length = 2 if at == 16 else 1 if at < 24 else 4
    pages.put(at, chance.choice((*HUGE, 2, 3, 4, 5, 512, 65536, pages.number * 7)), length)


def _cut(pages: Pages, chance: random.Random) -> None:
    """The file ends too early, by pages or within one, or goes on with nothing."""
    end = len(pages.whole)
    match chance.randrange(3):
        case 0:
            end = pages.page * chance.randint(1, pages.number - 1)
        case 1:
            end = chance.randrange(pages.page, end)
        case _:
            pages.whole += bytes(chance.choice((1, pages.page * 100)))
            return
    del pages.whole[end:]
    pages.whole += bytes(-len(pages.whole) % pages.page if chance.random() < 0.5 else 0)
    pages.number = max(2, len(pages.whole) // pages.page)
    pages.whole = pages.whole.ljust(2 * pages.page, b"\0")
    pages.trees = [each for each in pages.trees if each <= pages.number]


_CHANGES: Final[tuple[Callable[[Pages, random.Random], None], ...]] = (
    *(_child, _deep_lattice, _bounded_lattice, _overflow, _payload, _columns, _cells, _kind),
    *(_swap, _free, _header, _cut),
)

_HOSTILE: Final = (
    "CREATE VIEW {name} AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n)"
    " SELECT i AS key, i AS value FROM n",
    "CREATE TABLE {name} (key TEXT, value TEXT AS (hex(zeroblob(100000000))))",
    "CREATE VIRTUAL TABLE {name} USING fts5(key, value)",
    "CREATE VIRTUAL TABLE {name} USING fts3(key, value)",
    "CREATE VIRTUAL TABLE {name} USING rtree(key, value, more)",
    "CREATE TABLE {name} (key TEXT CHECK (" + "(" * 900 + "1" + ")" * 900 + "), value TEXT)",
    "CREATE TABLE {name} (key TEXT, value TEXT" + ", x{place} INT" * 3000 + ")",
    "CREATE TABLE {name} AS SELECT 1 AS key",
    "CREATE TABLE " + "a" * 70_000 + " (key)",
    "CREATE",
    "",
)


def of_another_schema(path: Path, seed: int) -> str:
    """Change the schema of a file as only a forger can, by a seed; how it was done."""
    chance = random.Random(seed)
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        rows = sql.execute("SELECT rowid, type, name, rootpage FROM sqlite_master").fetchall()
        (row, kind, name, root), (other, _, _, its) = chance.choice(rows), chance.choice(rows)
        hostile = chance.choice(_HOSTILE).replace("{name}", name)
        for place in range(hostile.count("{place}")):
            hostile = hostile.replace("{place}", str(place), 1)
        how, values = chance.choice(
            (
                ("rootpage = ?", (its,)),  # two tables in one tree
                ("rootpage = ?", (chance.choice((*HUGE, *range(2, root + 9))),)),
                ("sql = ?", (hostile,)),
                ("type = ?, sql = ?", (chance.choice(("view", "trigger", "index")), hostile)),
                ("tbl_name = 'ledger'", ()),
                ("type = ?", ("index" if kind == "table" else "table",)),
                ("name = ?", (chance.choice(rows)[2],)),
                ("sql = NULL", ()),
            )
        )
        sql.execute("PRAGMA writable_schema=ON")
        with suppress(sqlite3.Error):
            sql.execute(f"UPDATE sqlite_master SET {how} WHERE rowid = ?", (*values, row))
            if chance.random() < 0.3:
                swap = "UPDATE sqlite_master SET rootpage = ? WHERE rowid = ?"
                sql.executemany(swap, [(its, row), (root, other)])
    return f"seed {seed}: {name}, {how} {values!r:.60}"


def with_endless_voids(path: Path, rows: int = 12_000, length: int = 1 << 19) -> None:
    """Give a record void matches whose reasons are one page, which is its own next one."""
    with closing(sqlite3.connect(path)) as sql:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'voids'"
        (root,) = sql.execute(query).fetchone()
    pages = Pages(path.read_bytes())
    ring = pages.add(b"")
    pages.whole[-pages.page :] = ring.to_bytes(4, "big") + b"w" * (pages.page - 4)
    lineup = b'["a","b","faulty"]'
    head = bytes([9, 13 + 2 * len(lineup), 8, 9]) + _digits(13 + 2 * length, 5)
    least = (pages.page - 12) * 32 // 255 - 23
    size = len(head) + len(lineup) + length
    size -= (size - least) % (pages.page - 4)  # as little as can be lies in the cell itself
    length = size - len(head) - len(lineup)
    head = head[:4] + _digits(13 + 2 * length, 5)
    here = (head + lineup).ljust(least, b"w") + ring.to_bytes(4, "big")
    children: list[int] = []
    for first in range(1, rows + 1, 8):
        cells = [_digits(size, 4) + _digits(row, 2) + here for row in range(first, first + 8)]
        children.append(pages.add(pages.leaf(cells)))
    while len(children) > 1:  # the keys of inner pages are not looked at
        groups = [children[at : at + 50] for at in range(0, len(children), 50)]
        inner = [pages.inner(_TABLE_INNER, each[:-1], each[-1], b"\1") for each in groups]
        children = [pages.add(each) for each in inner]
    top = (children[0] - 1) * pages.page
    pages.whole[(root - 1) * pages.page : root * pages.page] = pages.whole[top : top + pages.page]
    path.write_bytes(pages.whole)


def _digits(number: int, length: int) -> bytes:
    """A number as SQLite writes it, with zeros before it to this length."""
    digits = [number >> 7 * place & 0x7F | 0x80 for place in reversed(range(length))]
    return bytes([*digits[:-1], digits[-1] & 0x7F])
