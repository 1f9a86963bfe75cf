"""What maal cards and tunnelas are worth: the point tables of four sources, as data.

`pagat` is from Pagat, "Marriage". `w1`, `w2` and `w3` are from three versions of the Wikipedia article
"Marriage (card game)"; see docs/rules.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from marriage.rules import CustomRow
from marriage.sheet import What

Row = tuple[int, ...]
"""The total values of one, two and three of a kind."""


@dataclass(frozen=True, slots=True)
class PointTable:
    """The values of one source: a row for each kind of item."""

    rows: Mapping[What, Row]
    one_tunnela_row: bool = False
    """Whether all exposed tunnelas share one row (`What.TUNNELA`) and their cards count by themselves as well."""

    def worth(self, what: What, count: int) -> int:
        """Return the total value of `count` items of a kind.

        Each item beyond the end of the row adds the row's first value.

        >>> [TABLES["w3"].worth(What.MAAL_TUNNELA, count) for count in range(4)]
        [0, 15, 35, 50]
        """
        row = self.rows[what]
        known = min(count, len(row))
        return row[known - 1] + (count - known) * row[0] if count else 0


_CARDS: Final[dict[What, Row]] = {
    What.TIPLU: (3, 7),
    What.POPLU: (2, 5, 10),
    What.JHIPLU: (2, 5, 10),
    What.ALTER: (5, 15, 25),
    What.MAN: (5, 15, 25),
    What.MASTER: (10,),
    What.MARRIAGE: (10, 30),
    What.LAID_MARRIAGE: (15, 35),
}

TABLES: Final[dict[str, PointTable]] = {
    "pagat": PointTable(
        _CARDS
        | {
            What.TUNNELA: (5, 10, 15),
            What.JOKER_TUNNELA: (10, 20, 30),
            What.MAAL_TUNNELA: (20, 40),
            What.ALTER_TUNNELA: (35,),
            What.MAN_TUNNELA: (45,),
        }
    ),
    "w1": PointTable(
        _CARDS
        | {
            What.TIPLU: (3, 8),
            What.MARRIAGE: (10, 20),
            What.TUNNELA: (5, 10, 15),
            What.JOKER_TUNNELA: (10, 20, 30),
            What.MAAL_TUNNELA: (15, 30),
            What.ALTER_TUNNELA: (30,),
            What.MAN_TUNNELA: (30,),
        }
    ),
    "w2": PointTable(_CARDS | {What.TUNNELA: (5, 15, 25)}, one_tunnela_row=True),
    "w3": PointTable(
        _CARDS
        | {
            What.TIPLU: (3, 8),
            What.TUNNELA: (5, 15, 25),
            What.JOKER_TUNNELA: (10, 20, 30),
            What.MAAL_TUNNELA: (15, 35),
            What.ALTER_TUNNELA: (35,),
            What.MAN_TUNNELA: (45,),
        }
    ),
}


@cache
def point_table(name: str, custom: tuple[CustomRow, ...] = ()) -> PointTable:
    """Return the table of that name, with the `custom` rows in place of its own.

    Raises KeyError for an unknown name.
    """
    table = TABLES[name]
    rows = {What(kind): row for kind, row in custom}
    return PointTable({**table.rows, **rows}, table.one_tunnela_row) if rows else table
