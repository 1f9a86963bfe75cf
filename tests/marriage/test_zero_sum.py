"""Any deal under any rules: the nets sum to zero, the sheet adds up, the order of cards does not matter."""

from collections import Counter
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from marriage.cards import CARDS, MAN, MASTER, Card, Cards
from marriage.rules import PRESETS, Rules
from marriage.scoring.result import FinalSeat, dismissed_sheet, sheet_of
from marriage.sheet import Ending, Status

SEEN, UNSEEN, FOUL, PAUSE = Status.SEEN, Status.UNSEEN, Status.FOUL, Status.PAUSE


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    """Return any choice of the options that affect points or settlement."""
    return draw(st.sampled_from(list(PRESETS.values()))).with_options(
        point_table=draw(st.sampled_from(["pagat", "w1", "w2", "w3"])),
        alter=draw(st.booleans()),
        laid_marriage=draw(st.booleans()),
        tunnel_pachaunu=draw(st.booleans()),
        unseen_maal=draw(
            st.sampled_from(["count", "void", "murder", "murder_payback", "kidnap_points", "kidnap_cards"])
        ),
        seen_pay=draw(st.integers(0, 50)),
        unseen_pay=draw(st.integers(0, 50)),
        dublee_bonus=draw(st.integers(0, 20)),
        dublee_exempt=draw(st.booleans()),
        dublee_game=draw(st.sampled_from(["off", "mark", "double"])),
        better_factor=draw(st.integers(2, 5)),
        foul=draw(st.sampled_from(["off", "next", "each", "total"])),
        foul_points=draw(st.integers(0, 50)),
    )


def dealt_seats(draw: st.DrawFn, players: int, tiplu: Card) -> list[FinalSeat]:
    """Return hands of 21 from one deck without the tiplu, some with exposed tunnelas, some without cards."""
    deck = [*CARDS[:52] * 3, MAN, MAN, MAN, MASTER]
    deck.remove(tiplu)
    near = [card for card in deck if not card.is_pack or abs(card - tiplu) <= 1]
    other = [card for card in deck if card not in near]
    draw(st.randoms(use_true_random=False)).shuffle(near)
    draw(st.randoms(use_true_random=False)).shuffle(other)
    seats: list[FinalSeat] = []
    for place in range(players):
        share = len(near) // players
        maal = near[place * share : (place + 1) * share]
        hand: Cards = (*maal, *other[place * 21 : place * 21 + 21 - share])
        thrice = tuple(card for card, count in Counter(hand).items() if count == 3)
        seats.append(FinalSeat(cards=hand, exposed=thrice))
    return seats


@st.composite
def deals(draw: st.DrawFn) -> dict[str, Any]:
    """Return the arguments of `sheet_of` for any deal."""
    players = draw(st.integers(2, 5))
    tiplu = CARDS[draw(st.integers(0, 51))]
    seats = [
        replace(
            seat,
            status=draw(st.sampled_from(list(Status))),
            dublees=draw(st.booleans()),
            points=draw(st.none() | st.integers(0, 60)),
        )
        for seat in dealt_seats(draw, players, tiplu)
    ]
    winner = draw(st.integers(0, players - 1))
    seats[winner] = replace(seats[winner], status=SEEN)
    some_seats = st.lists(st.integers(0, players - 1), max_size=3)
    return {
        "seats": seats,
        "tiplu": tiplu,
        "winner": winner,
        "ending": draw(st.sampled_from([Ending.GROUPS, Ending.DUBLEES])),
        "rules": draw(any_rules()),
        "better": draw(st.booleans()),
        "carry": draw(some_seats),
        "thrown": [seat for seat in draw(some_seats) if seats[seat].status is not PAUSE],
    }


@settings(deadline=None, max_examples=100)
@given(deals())
def test_every_deal_sums_to_zero_and_its_sheet_adds_up(deal):
    result = sheet_of(**deal)
    assert sum(line.net for line in result.lines) == 0
    assert sum(line.maal for line in result.lines) == 0
    assert sum(line.payment for line in result.lines) == 0
    assert sum(line.foul for line in result.lines) == 0
    assert result.total == sum(line.points for line in result.lines)
    for line in result.lines:
        assert line.points == sum(item.points for item in line.items)
        assert line.net == line.maal + line.payment + line.foul
        if line.status in (FOUL, PAUSE):
            assert not line.items
        if line.status is PAUSE:
            assert line.maal == line.payment == 0


@settings(deadline=None)
@given(deals(), st.randoms(use_true_random=False))
def test_the_order_of_cards_changes_nothing(deal, random):
    mixed = [replace(seat, cards=tuple(random.sample(seat.cards, len(seat.cards)))) for seat in deal["seats"]]
    assert sheet_of(**deal | {"seats": mixed}) == sheet_of(**deal)


@settings(deadline=None)
@given(deals())
def test_everybody_pays_everybody_the_difference(deal):
    """The formula, computed the long way round: pair by pair, and to the winner."""
    result = sheet_of(**deal)
    rules, winner, seats = deal["rules"], deal["winner"], deal["seats"]
    players = [index for index, seat in enumerate(seats) if seat.status is not PAUSE]
    expected, rest = [0] * len(seats), [0] * len(seats)
    for payer in players:
        for receiver in players:
            expected[receiver] += result.lines[receiver].points - result.lines[payer].points
        if payer == winner:
            continue
        pay = {SEEN: rules.seen_pay, UNSEEN: rules.unseen_pay, FOUL: 0}[seats[payer].status]
        if rules.dublee_exempt and seats[payer].dublees:
            pay = 0
        if deal["ending"] is Ending.DUBLEES:
            pay += rules.dublee_bonus
        expected[payer] -= pay
        expected[winner] += pay
        if seats[payer].status is FOUL:
            each = {"each": rules.foul_points, "total": max(0, result.total)}.get(rules.foul, 0)
            penalty = rules.foul_points if rules.foul == "next" else each * (len(players) - 1)
            missing = max(0, result.factor * rules.unseen_pay - penalty) if rules.dead_hand == "pays" else 0
            rest[payer] -= missing
            rest[winner] += missing
    settled = [result.factor * net + missing for net, missing in zip(expected, rest, strict=True)]
    assert [line.maal + line.payment for line in result.lines] == settled


@settings(deadline=None)
@given(deals())
def test_a_dismissed_deal_sums_to_zero_too(deal):
    result = dismissed_sheet(deal["seats"], deal["rules"], carry=deal["carry"], thrown=deal["thrown"])
    assert sum(line.net for line in result.lines) == 0
