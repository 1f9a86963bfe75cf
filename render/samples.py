"""Sample views, leaderboards, standings and profiles for the gallery and for tests."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from league.standings import Band, Criterion, Standings, StandingsRow, Zone
from league.statistics.leaderboard import Board, BoardOrder, Standing
from league.statistics.profile import BestDeal, DecisionQuality, Profile, ShownRating
from league.statistics.puzzle_ratings import PuzzleFigures, Strength
from league.statistics.stats import Span, Tally
from marriage.actions import Discard, TakeDiscard
from marriage.analysis.deal_analysis import Analysis, Decision, Draw
from marriage.analysis.options import Option
from marriage.analysis.verdicts import Verdict, accuracy, verdict
from marriage.cards import CARDS, Card, parse_cards, sort_cards
from marriage.rules import PRESETS, Rules
from marriage.sheet import Ending, Sheet, SheetItem, SheetLine, Status, What
from marriage.state import Phase, ShowKind
from marriage.view import SeatView, View
from render.hand_layout import CardOrder
from render.picture import Example, Known, Outcome

NAMES: Final = (
    "Sita Gurung",
    "राम बहादुर श्रेष्ठ",
    "Bartholomew Montgomery-Featherstone",
    "😀 Kiran 🎴",
    "Ольга",
)
ALTER_RULES: Final = PRESETS["pagat"].with_options(alter=True, man_cards=3)
FULL: Final = "2S 3S 4S 8S KS AH 2H 10H 10H QH KH 5D 6D 7D JD JD 4C 5C 9C 10C QC"
LATE: Final = "7S 10H JH QH 6H 7H 8H 7D MAN JD 4C 5C"
GROUPS: Final = ("2S 3S 4S", "10C JC QC", "5D 5D 5D")
PAIRS: Final = ("2S 2S", "10C 10C", "QH QH", "5D 5D", "AH AH", "9C 9C", "KS KS")


def closed_seat(count: int = 21) -> SeatView:
    """Return a seat of which only the number of cards is known."""
    return SeatView(None, None, count, count, (), (), None, seen=False, answered=True)


def open_seat(laid: tuple[str, ...] = (), exposed: str = "") -> SeatView:
    """Another player's seat with sets on the table."""
    groups = tuple(parse_cards(text) for text in laid)
    kind = None if not laid else ShowKind.DUBLEES if len(laid) == 7 else ShowKind.GROUPS
    locked = sum(map(len, groups))
    faces = parse_cards(exposed)
    return SeatView(None, None, 21, 21 - locked, faces, groups, kind, seen=bool(kind), answered=True)


def own_seat(hand: str, laid: tuple[str, ...] = (), exposed: str = "") -> SeatView:
    """Return the viewer's seat; `hand` are the concealed cards, without the sets on the table."""
    concealed = sort_cards(parse_cards(hand))
    other = open_seat(laid, exposed)
    locked: list[Card] = [card for group in other.laid for card in group]
    for face in other.exposed:
        if (face,) * 3 not in other.laid:
            locked += [face] * 3
    cards = sort_cards((*concealed, *locked))
    return replace(other, cards=cards, concealed=concealed, count=len(cards), concealed_count=len(concealed))


def sample_view(
    seats: tuple[SeatView, ...],
    *,
    viewer: int | None = None,
    phase: Phase = Phase.DRAW,
    turn: int = 0,
    tiplu: str = "",
    cut: bool = False,
    drawn: str = "",
    taken: str = "",
    pile: str = "2C 9D KH 4S 7C",
    rules: Rules = PRESETS["pagat"],
    sheet: Sheet | None = None,
    throwers: tuple[int, ...] = (),
) -> View:
    """Return a view with these seats; `tiplu` is empty if the viewer does not know it."""
    return View(
        viewer=viewer, rules=rules, dealer=len(seats) - 1, seats=seats, stock_count=63, pile=parse_cards(pile),
        phase=phase, turn=turn, tiplu=Card.parse(tiplu) if tiplu else None, tiplu_cut=cut or bool(tiplu),
        taken=Card.parse(taken) if taken else None, drawn=Card.parse(drawn) if drawn else None,
        shown_now=False, reshuffles=0, version=9, sheet=sheet, throwers=throwers,
    )  # fmt: skip


def hand_views() -> dict[str, View]:
    """Return hands at every stage of a deal."""
    others = (closed_seat(), closed_seat())

    def hand(cards: str, laid: tuple[str, ...] = (), exposed: str = "", **rest: str) -> View:
        phase = Phase.PLAY if rest.get("drawn") else Phase.DRAW
        seats = (own_seat(cards, laid, exposed), *others)
        return sample_view(seats, viewer=0, phase=phase, rules=ALTER_RULES, **rest)  # pyright: ignore[reportArgumentType]

    return {
        "dealt": hand(FULL),
        "drawn": hand(f"{FULL} 6C", drawn="6C"),
        "tunnela": hand("2S 3S 4S 8S KS AH 10H 10H QH KH 5D JD JD 4C 5C 9C 10C QC", exposed="6D"),
        "seen": hand(LATE, GROUPS, "5D", tiplu="7H"),
        "seen-drawn": hand(f"{LATE} MASTER", GROUPS, "5D 9S", tiplu="7H", drawn="MASTER"),
        "dublees": hand("3H 4H 7H 8D JC KC KD 7D", PAIRS, tiplu="7H", drawn="7D"),
        "taken": hand(f"{FULL} 7C", drawn="7C", taken="7C"),
        "copies": hand("AS AS AS 2S 2S 2S 3S 3S 3S 10S JS QS KS KS KS QS JS 10S 9S 9S 8S 8S", drawn="8S"),
    }


def orders() -> dict[str, CardOrder]:
    """Return layouts of a hand other than the default."""
    own = (parse_cards("QH KH"), parse_cards("5C 9C 10C JD"))
    ordered = (parse_cards("8S KS 4C QC"), parse_cards("JD"), parse_cards("10H QH 2H KH 4S AH 3S 2S"))
    return {
        "rank": CardOrder("rank"),
        "best": CardOrder("best"),
        "own": CardOrder("suit", own),
        "ordered": CardOrder(own=ordered),
    }


def table_views() -> dict[str, View]:
    """Return tables of two to five seats."""
    shown, pairs, exposed = open_seat(GROUPS, "5D"), open_seat(PAIRS), open_seat((), "6D 9S")
    wikipedia = PRESETS["wikipedia"]
    return {
        "window-2": sample_view((exposed, closed_seat()), phase=Phase.WINDOW, pile=""),
        "play-3": sample_view(
            (closed_seat(22), exposed, closed_seat()), phase=Phase.PLAY, throwers=(2, 0, 1, 2)
        ),
        "seen-4": sample_view(
            (shown, closed_seat(), pairs, exposed), turn=1, cut=True, throwers=(1, 2, 3, 0)
        ),
        "seen-5": sample_view(
            (pairs, shown, closed_seat(), pairs, shown), turn=2, cut=True, throwers=(2, 3, 4, 0, 1)
        ),
        "anticlockwise-4": sample_view(
            (exposed, closed_seat(), closed_seat(22), shown), turn=2, cut=True, rules=wikipedia, pile="9D"
        ),
        "over-5": sample_view((pairs, shown, pairs, closed_seat(), shown), phase=Phase.OVER, tiplu="QH"),
        "open-5": sample_view((shown, pairs, shown, pairs, pairs), turn=3, tiplu="10H"),
    }


def seat_views() -> dict[str, View]:
    """Return players' views of tables of two to five seats, in every phase."""
    shown, pairs, exposed = open_seat(GROUPS, "5D"), open_seat(PAIRS), open_seat((), "6D 9S")
    mine, late = own_seat(FULL), own_seat(LATE, GROUPS, "5D")
    end = sheet_views()["groups"]

    def seat(*seats: SeatView, **rest: Any) -> View:
        return sample_view(seats, viewer=rest.pop("viewer", 0), rules=ALTER_RULES, **rest)

    return {
        "window-2": seat(mine, exposed, phase=Phase.WINDOW, turn=1, pile="9D"),
        "draw-3": seat(mine, exposed, closed_seat(), throwers=(0, 1, 2), pile="KH 10H QC"),
        "play-4": seat(
            closed_seat(), closed_seat(), own_seat(f"{FULL} 6C"), exposed,
            viewer=2, turn=2, phase=Phase.PLAY, drawn="6C", throwers=(0, 1),
        ),
        "wait-5": seat(mine, shown, closed_seat(22), pairs, exposed, cut=True, turn=2, throwers=(3, 4, 0, 1)),
        "seen-5": seat(
            pairs, late, replace(closed_seat(), out=True), shown, pairs,
            viewer=1, turn=1, tiplu="7H", throwers=(3, 4, 0),
        ),
        "cut-2": seat(own_seat(LATE, GROUPS), pairs, phase=Phase.CUT, pile="", throwers=()),
        "over-4": replace(end, viewer=1, throwers=(0, 1, 2, 3)),
    }  # fmt: skip


def sheet_views() -> dict[str, View]:
    """Return deals that are over."""
    rest = ("6H 7H 8H", "10H JH QH", "7S JD MAN", "4C 5C 7D")
    seat = replace(own_seat(LATE, GROUPS, "5D"), finish=tuple(map(parse_cards, rest)))
    unseen = own_seat(FULL)

    def items(*parts: tuple[What, str, int]) -> tuple[SheetItem, ...]:
        return tuple(SheetItem(what, parse_cards(text), points) for what, text, points in parts)

    winner = items(
        (What.MARRIAGE, "6H 7H 8H", 10), (What.ALTER, "7D 7D", 15), (What.MAN, "MAN", 5), (What.TUNNELA, "5D 5D 5D", 5),
        (What.POPLU, "8H 8H", 5), (What.KIDNAPPED, "", 2),
    )  # fmt: skip
    lines = (
        SheetLine(Status.SEEN, winner, 42, 79, 26, 0, 105),
        SheetLine(Status.SEEN, items((What.TIPLU, "7H", 3), (What.JHIPLU, "6H", 2)), 5, -26, -3, 0, -29),
        SheetLine(Status.UNSEEN, items((What.POPLU, "8H", 2), (What.UNSEEN, "", -2)), 0, -41, -10, 0, -51),
        SheetLine(Status.FOUL, (), 0, -12, -13, 0, -25),
    )
    done = Sheet(Ending.GROUPS, 0, lines, 45)
    twice = tuple(
        replace(line, maal=2 * line.maal, payment=2 * line.payment, net=2 * line.net) for line in lines
    )
    nothing = SheetLine(Status.UNSEEN, (), 0, 0, 0, 0, 0)
    dismissed = Sheet(Ending.DISMISSED, None, (nothing,) * 3, 0)
    return {
        "groups": sample_view(
            (seat, seat, unseen, unseen), phase=Phase.OVER, tiplu="7H", rules=ALTER_RULES, sheet=done
        ),
        "better": sample_view(
            (seat, seat, unseen, unseen),
            phase=Phase.OVER,
            tiplu="7H",
            rules=ALTER_RULES,
            sheet=replace(done, lines=twice, factor=2),
        ),
        "dismissed": sample_view((unseen,) * 3, phase=Phase.OVER, sheet=dismissed),
    }


def lessons() -> dict[str, tuple[tuple[Example, ...], Known]]:
    """Return example cards of the rules, before and after the tiplu is known."""

    def example(caption: str, *groups: str) -> Example:
        return Example(caption, tuple(map(parse_cards, groups)))

    rules = PRESETS["pagat"]
    return {
        "sets": (
            (
                example("Pure sequences", "4S 5S 6S", "QH KH AH"),
                example("Trial and tunnela", "9S 9H 9C", "KD KD KD"),
            ),
            Outcome(None, rules),
        ),
        "marriage": (
            (example("A marriage", "6H 7H 8H"), example("Jokers", "7S 7C 4D")),
            Outcome(Card.parse("7H"), rules),
        ),
    }


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
    """Return titled standings: one with a cut to the finals, a division, a first round, an empty table."""
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
    """Return players with many deals, some, one and none."""
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
        rating=ShownRating(figure=1643, band=27, provisional=False, deals=384, opponents=8),
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
        rating=ShownRating(figure=1381, band=94, provisional=True, deals=7, opponents=3),
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
