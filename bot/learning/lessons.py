"""The rules as short pages. Every sentence and figure follows from the given rules."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from bot.words.texts import Texts
from marriage.cards import PACKS, Card, parse_cards
from marriage.rules import SEATS_MAX, SEATS_MIN, Rules
from marriage.scoring.hand_points import TUNNELA_ROWS
from marriage.scoring.point_tables import point_table
from marriage.sheet import What
from render.picture import Example

TIPLU: Final = Card.parse("7H")
"""The tiplu of all examples."""

_COUNTS: Final = ("one", "two", "three")

Line = tuple[str, dict[str, Any]]
"""A message key and its values."""


@dataclass(frozen=True, slots=True)
class LessonPage:
    """One page: its name, its text, and the content of its picture."""

    name: str
    text: str
    examples: tuple[Example, ...]
    tiplu: Card | None = None
    """The tiplu by which the picture marks cards; None on pages before wild cards are explained."""


def pages(rules: Rules, texts: Texts) -> tuple[LessonPage, ...]:
    """Return all pages for these rules."""
    return tuple(
        LessonPage(
            name, "\n".join(_said(line, texts) for line in lines(rules)), examples(rules, texts), tiplu
        )
        for name, lines, examples, tiplu in _CHAPTERS
    )


def _said(line: Line, texts: Texts) -> str:
    key, values = line
    named = {
        name: texts(f"what.{value}") if isinstance(value, What) else value for name, value in values.items()
    }
    return texts(key, **named)


# The sentences of each page


def _aim(rules: Rules) -> Iterator[Line]:
    yield "lesson.aim", {"least": SEATS_MIN, "most": SEATS_MAX}
    extra = "_men" * (rules.man_cards > 0) + "_master" * (rules.master_card != "off")
    yield f"lesson.cards{extra}", {"cards": rules.deck_size, "men": rules.man_cards}


def _turn(rules: Rules) -> Iterator[Line]:
    yield "lesson.deal", {}
    yield f"lesson_window.{rules.tunnela_window}", {}
    yield f"lesson_direction.{rules.direction}", {}
    yield ("lesson.first_seat" if rules.first_dealer else "lesson.first_by_lot"), {"seat": rules.first_dealer}
    yield "lesson.turn", {}
    yield f"lesson_pickup.{rules.unseen_pickup}", {}
    yield f"lesson_same_face.{rules.same_face_discard}", {}
    endless = rules.stock_out == "reshuffle" and not rules.reshuffle_cap
    yield f"lesson_stock.{'no_limit' if endless else rules.stock_out}", {"times": rules.reshuffle_cap}


def _pure(rules: Rules) -> Iterator[Line]:
    yield "lesson.pure", {}
    yield f"lesson_size.{rules.group_size}", {}
    if rules.long_trial and rules.group_size == "three_plus":
        yield "lesson.long_trial", {}
    if rules.primary_trial:
        yield "lesson.primary_trial", {}
    if rules.master_in_sequences:
        yield f"lesson.master_{rules.master_card}", {}


def _show(rules: Rules) -> Iterator[Line]:
    yield "lesson.show", {}
    yield ("lesson.open_tiplu" if rules.open_tiplu else "lesson.cut"), {}
    if not rules.dublee:
        yield "lesson.no_dublees", {}
    elif rules.dublee_min_players > SEATS_MIN:
        yield "lesson.dublees_from", {"players": rules.dublee_min_players}
    else:
        yield "lesson.dublees", {}
    if rules.dublee and rules.joker_dublee and rules.man_cards > 1:
        yield "lesson.joker_dublee", {}


def _wild(rules: Rules) -> Iterator[Line]:
    yield "lesson.wild", {}
    if rules.alter:
        yield "lesson.alter", {}
    if rules.man_cards:
        yield "lesson.man", {"count": rules.man_cards}
    if rules.master_card != "off":
        yield "lesson.master", {}
    yield f"lesson_wild.{rules.seen_pickup_wild}", {}


def _finish(rules: Rules) -> Iterator[Line]:
    yield "lesson.finish", {}
    if rules.dublee:
        yield "lesson.finish_dublees", {}
    yield ("lesson.same_turn" if rules.same_turn_finish else "lesson.next_turn"), {}


def _points(rules: Rules) -> Iterator[Line]:
    table = point_table(rules.point_table, rules.custom_points)
    yield "lesson.points", {}
    rows = _scoring(rules)
    for what in rows:
        values = [str(table.worth(what, count)) for count in range(1, len(table.rows[what]) + 1)]
        figures = dict(zip(_COUNTS, values, strict=False))
        yield f"lesson_row.{len(figures)}", {"kind": what} | figures
    if {What.JOKER_TUNNELA, What.MAAL_TUNNELA} <= set(rows):
        yield "lesson.tunnela_kinds", {}
    if table.one_tunnela_row:
        yield ("lesson.one_row_others" if TUNNELA_ROWS & set(rows) - {What.TUNNELA} else "lesson.one_row"), {}
    if rules.mixed_pairs:
        yield "lesson.mixed_pairs", {}
    yield _pachaunu(rules), {}


def _pachaunu(rules: Rules) -> str:
    """Return the key of what an exposed tunnela pays.

    Unseen players who lose their maal also lose their tunnelas.
    """
    if rules.tunnel_pachaunu:
        return "lesson.pachaunu"
    return "lesson.no_pachaunu" if rules.unseen_maal in {"count", "void"} else "lesson.lost_tunnelas"


def _settle(rules: Rules) -> Iterator[Line]:
    yield "lesson.settle", {"seen": rules.seen_pay, "unseen": rules.unseen_pay}
    if rules.dublee and rules.dublee_bonus:
        yield "lesson.bonus", {"bonus": rules.dublee_bonus}
    if rules.dublee and rules.dublee_exempt:
        yield "lesson.exempt", {"seen": rules.seen_pay}
    yield f"lesson_maal.{rules.unseen_maal}", {}


def _house(rules: Rules) -> Iterator[Line]:
    yield f"lesson_foul.{rules.foul}", {"points": rules.foul_points}
    if rules.false_claim == "foul":
        yield "lesson.false_claim", {}
        yield f"lesson.dead_hand_{rules.dead_hand}", {"unseen": rules.unseen_pay}
    if rules.throw_foul:
        yield "lesson.throw_foul", {}
    if rules.foul != "off":
        yield "lesson.ruled_foul", {}
    if rules.better_after:
        yield "lesson.better", {"rounds": rules.better_after, "factor": rules.better_factor}
    if rules.dublee and rules.dublee_game == "mark":
        yield "lesson.dublee_mark", {}
    if rules.dublee and rules.dublee_game == "double":
        yield "lesson.dublee_double", {"factor": rules.better_factor}
    yield "lesson.more", {}


def _scoring(rules: Rules) -> list[What]:
    """Return the kinds of items that can score under these rules, the most common first."""
    table = point_table(rules.point_table, rules.custom_points)
    there = {
        What.ALTER: rules.alter,
        What.MAN: rules.man_cards > 0,
        What.MASTER: rules.master_card != "off",
        What.LAID_MARRIAGE: rules.laid_marriage,
        What.ALTER_TUNNELA: rules.alter,
        What.MAN_TUNNELA: rules.man_cards >= PACKS,
    }
    return [what for what in table.rows if there.get(what, True)]


# The pictures


def _example(texts: Texts, key: str, *groups: str) -> Example:
    return Example(texts(f"example.{key}"), tuple(map(parse_cards, groups)))


def _aim_cards(_rules: Rules, texts: Texts) -> tuple[Example, ...]:
    return (_example(texts, "sets", "3S 4S 5S", "6H 6H 6H", "QD KD AD"),)


def _turn_cards(_rules: Rules, texts: Texts) -> tuple[Example, ...]:
    return (_example(texts, "dealt_tunnela", "9C 9C 9C"),)


def _pure_cards(rules: Rules, texts: Texts) -> tuple[Example, ...]:
    longer = ("2C 3C 4C 5C",) if rules.group_size == "three_plus" else ()
    trial = (_example(texts, "trial", "9S 9H 9D"),) if rules.primary_trial else ()
    return (
        _example(texts, "sequence", "AH 2H 3H", "10D JD QD", *longer),
        _example(texts, "tunnela", "6H 6H 6H"),
        *trial,
    )


def _show_cards(rules: Rules, texts: Texts) -> tuple[Example, ...]:
    shown = _example(texts, "show", "3S 4S 5S", "QD KD AD", "6C 6C 6C")
    pairs = ("2S 2S", "5S 5S", "9H 9H", "KH KH", "4D 4D", "10C 10C", "QC QC")
    return (shown, _example(texts, "dublees", *pairs)) if rules.dublee else (shown,)


def _wild_cards(rules: Rules, texts: Texts) -> tuple[Example, ...]:
    others = ["7S", "7C"] if rules.alter else ["7S", "7D", "7C"]
    alter = (_example(texts, "alter", "7D"),) if rules.alter else ()
    man = (_example(texts, "man", "MAN"),) if rules.man_cards else ()
    return (
        _example(texts, "maal", "7H", "8H", "6H"),
        *alter,
        *man,
        _example(texts, "jokers", *others),
    )


def _finish_cards(_rules: Rules, texts: Texts) -> tuple[Example, ...]:
    return (
        _example(texts, "dirty_sequence", "9C 7S JC", "2D 3D 8H"),
        _example(texts, "dirty_trial", "KS KD KC", "4H 4C 7D"),
        _example(texts, "wilds", "7S 6H 8H"),
    )


def _points_cards(_rules: Rules, texts: Texts) -> tuple[Example, ...]:
    return (_example(texts, "marriage", "6H 7H 8H"),)


def _no_cards(_rules: Rules, _texts: Texts) -> tuple[Example, ...]:
    return ()


Lines = Callable[[Rules], Iterator[Line]]
Cards = Callable[[Rules, Texts], tuple[Example, ...]]

_CHAPTERS: Final[tuple[tuple[str, Lines, Cards, Card | None], ...]] = (
    ("aim", _aim, _aim_cards, None),
    ("turn", _turn, _turn_cards, None),
    ("pure", _pure, _pure_cards, None),
    ("show", _show, _show_cards, None),
    ("wild", _wild, _wild_cards, TIPLU),
    ("finish", _finish, _finish_cards, TIPLU),
    ("points", _points, _points_cards, TIPLU),
    ("settle", _settle, _no_cards, None),
    ("house", _house, _no_cards, None),
)
