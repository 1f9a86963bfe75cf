"""The points of one hand: the best grouping of its maal, in which each card counts once.

Source: the scoring rules of Pagat and Wikipedia, with the point tables of `marriage.scoring.point_tables`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations

from marriage.cards import PACKS, Card, Cards, sort_cards, without
from marriage.maal import Role, jhiplu, poplu, role
from marriage.rules import Rules
from marriage.scoring.point_tables import Row, point_table
from marriage.sheet import SheetItem, What

Items = tuple[SheetItem, ...]

_SINGLES = {
    Role.TIPLU: What.TIPLU,
    Role.POPLU: What.POPLU,
    Role.JHIPLU: What.JHIPLU,
    Role.ALTER: What.ALTER,
    Role.MAN: What.MAN,
    Role.MASTER: What.MASTER,
}
_TUNNELAS = {
    None: What.TUNNELA,
    Role.JOKER: What.JOKER_TUNNELA,
    Role.POPLU: What.MAAL_TUNNELA,
    Role.JHIPLU: What.MAAL_TUNNELA,
    Role.ALTER: What.ALTER_TUNNELA,
    Role.MAN: What.MAN_TUNNELA,
}
TUNNELA_ROWS = frozenset(_TUNNELAS.values())


def points_of(items: Iterable[SheetItem]) -> int:
    """Return the total points of the items."""
    return sum(item.points for item in items)


def tunnela_points(items: Iterable[SheetItem]) -> int:
    """Return the total points of the tunnela items."""
    return sum(item.points for item in items if item.what in TUNNELA_ROWS)


def score_hand(
    cards: Cards, exposed: Cards, laid: int, tiplu: Card, rules: Rules, *, seen: bool = True
) -> Items:
    """Return the items of the best grouping of a hand, before `unseen_maal` (murder and the like) is applied.

    `cards` are all cards of the hand. `exposed` has the face of each exposed tunnela, whose cards are in
    `cards` too. `laid` is the number of marriages among the groups shown. Raises ValueError if an exposed
    tunnela is not in the hand.
    """
    return max(groupings(cards, counting(exposed, rules, seen=seen), laid, tiplu, rules), key=points_of)


def counting(exposed: Cards, rules: Rules, *, seen: bool) -> Cards:
    """Return the exposed tunnelas that count: all, or none for an unseen seat under Tunnel Pachaunu."""
    return exposed if seen or not rules.tunnel_pachaunu else ()


def laid_marriages(laid: Iterable[Cards], tiplu: Card) -> int:
    """Return how many of the shown groups contain a marriage, alone or within a longer run."""
    marriage = {jhiplu(tiplu), tiplu, poplu(tiplu)}
    return sum(marriage.issubset(group) for group in laid)


def groupings(cards: Cards, exposed: Cards, laid: int, tiplu: Card, rules: Rules) -> Iterator[Items]:
    """Yield all groupings of a hand that could be the best, most tunnelas and marriages first."""
    laid = laid if rules.laid_marriage else 0
    for tunnelas in _subsets(sort_cards(exposed)):
        left = Counter(without(cards, [face for face in tunnelas for _ in range(3)]))
        rows = _tunnela_items(tunnelas, tiplu, rules)
        most = min(left[jhiplu(tiplu)], left[tiplu], left[poplu(tiplu)])
        for marriages in range(most, -1, -1):
            for shown in range(min(marriages, laid), -1, -1):
                yield rows + _card_items(left, marriages, shown, tiplu, rules)


def _subsets(faces: Cards) -> Iterator[Cards]:
    for size in range(len(faces), -1, -1):
        yield from combinations(faces, size)


def _tunnela_items(faces: Cards, tiplu: Card, rules: Rules) -> Items:
    """Return the items of these tunnelas, and of their single cards if the point table also counts those."""
    table = point_table(rules.point_table, rules.custom_points)
    rows: dict[What, list[Card]] = {}
    for face in faces:
        what = _TUNNELAS[role(face, tiplu, rules)]
        rows.setdefault(what if what in table.rows else What.TUNNELA, []).append(face)
    items = [
        SheetItem(what, tuple(face for face in row for _ in range(3)), table.worth(what, len(row)))
        for what, row in rows.items()
    ]
    if table.one_tunnela_row:
        items += _singles(Counter(rows.get(What.TUNNELA, ()) * 3), tiplu, rules)
    return tuple(items)


def _card_items(left: Counter[Card], marriages: int, shown: int, tiplu: Card, rules: Rules) -> Items:
    """Return the items of `marriages` marriages, of which `shown` were laid, and of the rest by face."""
    table = point_table(rules.point_table, rules.custom_points)
    marriage = (jhiplu(tiplu), tiplu, poplu(tiplu))
    items = [
        SheetItem(what, marriage * count, table.worth(what, count))
        for what, count in ((What.LAID_MARRIAGE, shown), (What.MARRIAGE, marriages - shown))
        if count
    ]
    rest = left - Counter(dict.fromkeys(marriage, marriages))
    return (*items, *_singles(rest, tiplu, rules))


def _singles(cards: Counter[Card], tiplu: Card, rules: Rules) -> Iterator[SheetItem]:
    """Yield the items of the cards that are worth points by themselves, one for each face."""
    faces = {role(card, tiplu, rules): card for card in cards}
    held = {what: (faces[kind],) * cards[faces[kind]] for kind, what in _SINGLES.items() if kind in faces}
    if rules.mixed_pairs:
        held = _of_equal_worth(held, rules)
    for what, copies in held.items():
        yield from _best_parts(what, copies, rules)


def _of_equal_worth(held: dict[What, Cards], rules: Rules) -> dict[What, Cards]:
    """Merge kinds of equal worth under the first of them (`mixed_pairs`)."""
    rows = point_table(rules.point_table, rules.custom_points).rows
    merged: dict[What, Cards] = {}
    for what, copies in held.items():
        alike = next((other for other in merged if rows[other] == rows[what]), what)
        merged[alike] = merged.get(alike, ()) + copies
    return merged


def _best_parts(what: What, copies: Cards, rules: Rules) -> Iterator[SheetItem]:
    """Yield the items of these cards of equal worth, split in the best way if the row has too few values."""
    table = point_table(rules.point_table, rules.custom_points)
    sizes = (len(copies),) if len(copies) <= PACKS else _best_sizes(len(copies), table.rows[what])
    start = 0
    for size in sizes:
        part = copies[start : start + size]
        mixed = len(set(part)) > 1
        yield SheetItem(What.MIXED if mixed else what, part, table.worth(what, size))
        start += size


@cache
def _best_sizes(count: int, row: Row) -> tuple[int, ...]:
    """Return the best part sizes for splitting `count` cards of a kind, larger parts first."""
    if not count:
        return ()
    ways = ((size, *_best_sizes(count - size, row)) for size in range(min(count, len(row)), 0, -1))
    return max(ways, key=lambda sizes: sum(row[size - 1] for size in sizes))
