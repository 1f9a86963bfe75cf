"""Aligned plain-text tables for people. Columns are as wide as their content."""

from collections.abc import Sequence
from unicodedata import category, east_asian_width

from marriage.cli.reading import printable


def width(text: str) -> int:
    """Return the number of terminal columns that a text takes. Combining characters take none."""
    return sum(
        0 if category(char) in ("Mn", "Me", "Cf") else 2 if east_asian_width(char) in "WF" else 1
        for char in text
    )


def table(rows: Sequence[Sequence[object]], right: frozenset[int] = frozenset()) -> str:
    """Format the rows as lines with aligned columns.

    The columns in `right` are right-aligned; the last column needs no padding.
    """
    texts = [[printable(str(cell)) for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*texts, strict=True)]
    lines = (
        "  ".join(_padded(cell, size, right=index in right) for index, (cell, size) in enumerate(cells))
        for cells in (list(zip(row, widths, strict=True)) for row in texts)
    )
    return "\n".join(line.rstrip() for line in lines)


def _padded(text: str, size: int, *, right: bool) -> str:
    blank = " " * (size - width(text))
    return blank + text if right else text + blank
