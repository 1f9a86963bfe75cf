"""Sample leaderboards, standings and profiles for the gallery and for tests."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from league.standings import Band, Criterion, Standings, StandingsRow, Zone
from league.statistics.leaderboard import Board, BoardOrder, Standing
from league.statistics.profile import BestDeal, DecisionQuality, Profile, ShownProfile
from league.statistics.puzzle_ratings import PuzzleFigures, Strength
from league.statistics.stats import Span, Tally
from marriage.actions import Discard, TakeDiscard
from marriage.analysis.deal_analysis import Analysis, Decision, Draw
from marriage.analysis.options import Option
from marriage.analysis.verdicts import Verdict, accuracy, verdict
from marriage.cards import CARDS

PEOPLE: Final = (
    "Sita Gurung", "राम बहादुर श्रेष्ठ", "Bartholomew Montgomery-F", "😀 Kiran 🎴", "Ольга", "محمد عبد الرحمن",
    "क्षितिज श्रीवास्तव ज्ञवाली", "小林さくら", "Ma", "🃏🃏🃏🃏🃏🃏🃏🃏🃏🃏🃏🃏", "W" * 24, "Zoë", "Nguyễn Thị Ánh",
    "लक्ष्मीप्रसाद देवकोटा", "x", "Asha", "Bikram", "Chitra", "Dorje", "Esha",
)  # fmt: skip
"""The names of the players; player 1 is the first."""
_FORM: Final = (12, -7, 31, -22, 0, 4, -15, 44, -9, -31, 18, 2, -5, 27, -12, 63, -3, 8, -41, 16)


def boards() -> dict[str, tuple[Board, int, int | None]]:
    """Return boards, each with the first line to show and the viewer."""
    rating = tuple(_rated(index) for index in range(14))
    points = tuple(
        Standing(index + 1, PEOPLE[index], index + 1, 2140 - 397 * index, None, 60 - index, 7.1 - index)
        for index in range(12)
    )
    adjusted = tuple(
        replace(row, value=4.7 - 1.1 * index, error=0.9 + 0.4 * (index % 3))
        for index, row in enumerate(rating)
    )
    return {
        "rating": (Board(BoardOrder.RATING, Span.ALL, rating, 0), 0, 5),
        "points": (Board(BoardOrder.POINTS, Span.MONTH, points, 0), 0, 12),
        "adjusted": (Board(BoardOrder.ADJUSTED, Span.ALL, adjusted, 0), 0, 2),
        "unplaced": (Board(BoardOrder.RATING, Span.WEEK, rating, 0), 10, None),
        "one": (Board(BoardOrder.POINTS, Span.WEEK, points[11:], 0), 0, None),
        "none": (Board(BoardOrder.RATING, Span.WEEK, (), 0), 0, None),
    }


def _rated(index: int) -> Standing:
    placed = index < 9
    return Standing(
        person=index + 1,
        name=PEOPLE[index],
        place=(index + 1 if index != 5 else 5) if placed else None,
        value=1712 - 31 * index,
        error=24 + 9 * (index % 4) + 60 * (not placed),
        deals=240 - 23 * index if placed else 30 - index,
        mean=5.2 - index,
        provisional=not placed,
    )


def tables() -> dict[str, tuple[Standings, str]]:
    """Standings with their titles: a season with a cut to the finals, a division, a first round, an empty table."""
    full = tuple(_line(index, 20) for index in range(20))
    zones: dict[int, Zone] = dict.fromkeys(range(8), "final")
    division: dict[int, Zone] = {0: "up", 1: "up", 6: "down", 7: "down"}
    eight = [
        replace(row, rank=row.rank, band=Band(max(1, row.rank - 3), min(8, row.rank + 2))) for row in full[:8]
    ]
    return {
        "pods": (Standings(6, 0, tuple(_in_zone(full, zones)), 1480), "Autumn at the Patan Durbar"),
        "division": (Standings(4, 2, tuple(_in_zone(eight, division)), 1390), "शरद · दोस्रो डिभिजन"),
        "first": (Standings(1, 0, tuple(replace(row, moved=0, matches=1) for row in full[:4]), 0), "Autumn"),
        "none": (Standings(0, 0, (), 0), "Autumn"),
    }


def _line(index: int, count: int) -> StandingsRow:
    criteria: tuple[Criterion, ...] = (
        "points",
        "points",
        "head_to_head",
        "points",
        "gain",
        "placings",
        "lot",
    )
    return StandingsRow(
        player=index + 1, rank=index + 1 - (index == 9), moved=(0, 2, -1, 0, 11, -3)[index % 6], by=criteria[index % 7],
        points=9213 - 1093 * index, matches=6 - index % 2, deals=72, placings=(2, 1, 1, 2, 0), net=12 - index, gain=0, opponents=0,
        penalties=0, conduct=0, last=(1, 2, 4), lines=(), dropped=frozenset(),
        band=Band(max(1, index - 4), min(count, index + 7)), zone=None,
    )  # fmt: skip


def _in_zone(rows: Sequence[StandingsRow], zones: Mapping[int, Zone]) -> Iterator[StandingsRow]:
    return (replace(row, zone=zones.get(index)) for index, row in enumerate(rows))


def profiles() -> dict[str, Profile]:
    """Players with many deals, some, one and none."""
    totals = [0]
    for number in range(96):
        totals.append(totals[-1] + _FORM[number * 7 % 20] * (3 - number % 4) // 2)
    full = Profile(
        person=2,
        name=PEOPLE[1],
        tally=Tally(deals=384, wins=121, seen=309, dublees=9, net=totals[-1], squares=220_000, maal=2_611),
        matches=41,
        others=12,
        since=1_790_000_000_000,
        rating=ShownProfile(figure=1643, band=27, provisional=False, deals=384, opponents=8),
        form=_FORM,
        best=(BestDeal(table=12, deal_no=3, at=1_790_000_000_000, seats=4, net=118, points=42),),
        rivals=(),
        earned=(),
        course=tuple(totals),
        puzzles=PuzzleFigures(Strength(31.4, 2.0, 128), correct=87),
        decisions=DecisionQuality(50, 88.6, 1.7, 6.4, 0.9),
    )
    few = replace(
        full,
        name="W" * 24,
        tally=Tally(deals=7, wins=0, seen=4, dublees=0, net=-143, squares=9_000, maal=11),
        matches=2,
        rating=ShownProfile(figure=1381, band=94, provisional=True, deals=7, opponents=3),
        form=(-12, -7, -31, -22, -40, 0, -31),
        best=(),
        course=(0, -12, -19, -50, -72, -112, -112, -143),
        puzzles=PuzzleFigures(Strength(21.0, 6.5, 3), correct=1),
    )
    one = replace(
        few,
        name=PEOPLE[5],
        tally=Tally(deals=1, wins=1, seen=1, net=14, squares=196, maal=9),
        form=(14,),
        course=(0, 14),
    )
    none = replace(few, name=PEOPLE[9], tally=Tally(), matches=0, since=None, rating=None, form=(), course=())
    return {"full": full, "few": few, "one": one, "none": none}


def analyses() -> dict[str, Analysis]:
    """Return analyses of three deals: with every kind of mistake, without mistakes, and with a single decision."""
    losses = (0.2, 0.0, 1.4, 0.0, 2.6, 0.3, 0.0, 0.0, 4.8, 0.0, 1.1, 0.0, 0.4)
    worth = (-3.1, -1.0, 0.4, -1.2, 2.0, -2.2, 1.5, 4.1, 8.9, 3.7, 6.0, 5.1, 9.8)
    full = tuple(map(_decision, range(2, 2 + len(losses)), worth, losses))
    draws = tuple(Draw(each.step, CARDS[each.step], luck) for each, luck in zip(full, worth, strict=True))
    clean = tuple(replace(each, loss=0.0, verdict=Verdict.GOOD, accuracy=100.0) for each in full[:6])
    return {
        "full": Analysis(0, 4, full, draws, net=13),
        "clean": Analysis(1, 4, clean, draws[:6], net=-7),
        "short": Analysis(2, 4, full[8:9], (), net=-21),
    }


def _decision(step: int, worth: float, loss: float) -> Decision:
    chosen = Option(Discard(CARDS[step]), worth - loss, missing=2, outs=9)
    best = Option(Discard(CARDS[step + 20]), worth, missing=1 + (loss < 4), outs=14)
    others = (Option(TakeDiscard(), worth - 5),)
    return Decision(step, chosen, best, others, loss, verdict(loss, 4), accuracy(worth, loss, 4))
