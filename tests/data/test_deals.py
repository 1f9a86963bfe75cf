"""Deals, events and results."""

from dataclasses import replace
from typing import Any, get_args

import pytest
from sqlalchemy import Text, text, type_coerce, update
from sqlalchemy.exc import IntegrityError

from data.dialect import checksum
from data.errors import SequenceGapError, UnreadableValueError
from data.schema.core import event
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import ResultRow, TableRow
from marriage import events as happened
from marriage.actions import Show
from marriage.cards import MAN, Card, parse_cards
from marriage.errors import Refusal
from marriage.events import EVENT_VERSION
from marriage.rules import preset
from marriage.sheet import Ending, Sheet, SheetItem, SheetLine, Status, What
from marriage.shuffle import DealSeed
from tests.data.conftest import SEED, by, first_deal

CARDS = parse_cards("AS 10H KD MAN MASTER")
LINE = SheetLine(
    Status.SEEN, (SheetItem(What.TIPLU, CARDS[:1], 3),), points=3, maal=1, payment=-3, foul=0, net=-2
)
ALL = [
    happened.Dealt(
        preset("kathmandu"), 1, (CARDS, CARDS[::-1]), Card(3), CARDS, DealSeed(SEED, "7", 1, ("0:5:-",))
    ),
    happened.TunnelasExposed(0, CARDS[:2]),
    happened.TunnelasDeclined(1),
    happened.WindowClosed(),
    happened.Drew(0, MAN),
    happened.Took(1, Card(51)),
    happened.Showed(0, (CARDS[:3], CARDS[1:4])),
    happened.ShowedDublees(1, ((MAN, MAN),)),
    happened.TipluCut(0, 17, Card(5), chosen=True),
    happened.TipluCut(0, 17, Card(5), chosen=False),
    happened.TipluTurned(17, Card(5)),
    happened.TipluSeen(1, Card(5)),
    happened.Discarded(0, Card(9)),
    happened.Reshuffled(CARDS),
    happened.Finished(0, (CARDS[:3],), Card(1)),
    happened.FinishedDublees(1, (Card(2), Card(2)), Card(1)),
    happened.ClaimFailed(1, Show((CARDS[:3],)), Refusal.NOT_THREE_GROUPS),
    happened.FoulRuled(1, happened.FoulReason.TOLD, by=None),
    happened.FoulLifted(1),
    happened.Dismissed(),
    happened.Settled((CARDS,), CARDS, None, Sheet(Ending.GROUPS, 0, (LINE, LINE), total=6)),
]


def test_a_cut_of_an_older_version_does_not_say_whether_its_place_was_chosen():
    stored = '{"seat":0,"place":17,"card":"6S","event":"tiplu_cut"}'
    assert happened.EVENT.validate_json(stored) == happened.TipluCut(0, 17, Card(5), chosen=None)


def test_the_round_trip_has_every_event():
    assert {type(event) for event in ALL} == set(get_args(happened.Event))


async def test_every_event_comes_back_as_it_went(store: Store, playing: TableRow):
    async def write(db: WriteTransaction) -> None:
        await db.deals.append_events(playing.id, 1, 0, by(None, ALL[:1]), 5)
        await db.deals.append_events(playing.id, 1, 1, by(2, ALL[1:]), 6)

    await store.write(write)

    async def read(db: ReadTransaction):
        assert await db.deals.events(playing.id, 1) == ALL
        assert await db.deals.events(playing.id, 2) == []
        return await db.tables._execute(text("SELECT seq, type, version, actor, at FROM event ORDER BY seq"))

    rows = await store.read(read)
    assert rows.all() == [
        (seq, event.event, happened.EVENT_VERSION, 2 if seq else None, 6 if seq else 5)
        for seq, event in enumerate(ALL)
    ]


@pytest.mark.parametrize(
    ("first_seq", "error"),
    [(0, IntegrityError), (1, IntegrityError), (3, SequenceGapError), (-1, SequenceGapError)],
)
async def test_events_follow_without_gap_or_overlap(
    store: Store, playing: TableRow, first_seq: int, error: type[Exception]
):
    await store.write(lambda db: db.deals.append_events(playing.id, 1, 0, by(0, ALL[:2]), 5))
    with pytest.raises(error):
        await store.write(lambda db: db.deals.append_events(playing.id, 1, first_seq, by(0, ALL[2:3]), 5))

    async def write(db: WriteTransaction) -> None:
        await db.deals.append_events(playing.id, 1, 2, by(0, []), 5)
        await db.deals.append_events(playing.id, 1, 2, by(0, ALL[2:3]), 5)
        assert await db.deals.events(playing.id, 1) == ALL[:3]

    await store.write(write)


async def test_events_need_their_deal(store: Store, table: TableRow):
    with pytest.raises(IntegrityError):
        await store.write(lambda db: db.deals.append_events(table.id, 1, 0, by(None, ALL[:1]), 5))


async def test_unreadable_event_is_told_without_its_text(store: Store, playing: TableRow):
    async def write(db: WriteTransaction) -> None:
        await db.deals.append_events(playing.id, 1, 0, by(None, ALL[:1]), 5)
        secret = '{"event": "drew", "card": "9D secret"}'
        check = checksum(playing.id, 1, 0, ALL[0].event, EVENT_VERSION, secret, None, 5)
        await db.tables._execute(update(event).values(body=type_coerce(secret, Text), checksum=check))

    await store.write(write)
    with pytest.raises(UnreadableValueError) as caught:
        await store.read(lambda db: db.deals.events(playing.id, 1))
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None


async def test_event_that_could_not_be_read_back_is_refused(store: Store, playing: TableRow):
    wrong: Any = happened.Discarded("9D secret", Card(1))  # type: ignore[arg-type]
    with pytest.raises(UnreadableValueError) as caught:
        await store.write(lambda db: db.deals.append_events(playing.id, 1, 0, by(0, [wrong]), 5))
    assert "secret" not in str(caught.value)


async def test_deal_reads_back_as_it_was_started(store: Store, playing: TableRow):
    deal = first_deal(playing)

    async def write(db: WriteTransaction) -> None:
        assert await db.deals.get(playing.id, 1) == deal
        assert await db.deals.get(playing.id, 2) is None
        await db.deals.change(replace(deal, entropy=["0:5:-", "1:6:नमस्ते"]))
        await db.deals.end(playing.id, 1, 9_000)
        ended = replace(deal, entropy=["0:5:-", "1:6:नमस्ते"], ended_at=9_000)
        assert await db.deals.get(playing.id, 1) == ended

    await store.write(write)


async def test_entropy_is_fixed_once_the_cards_are_dealt(store: Store, playing: TableRow):
    await store.write(lambda db: db.deals.append_events(playing.id, 1, 0, by(None, ALL[:1]), 5))
    with pytest.raises(SequenceGapError):
        await store.write(lambda db: db.deals.change(replace(first_deal(playing), entropy=["too late"])))


async def test_a_deal_is_sealed_anew_until_its_cards_are_dealt(store: Store, playing: TableRow):
    anew = replace(
        first_deal(playing),
        seed=bytes(32),
        commitment="ab",
        entropy=[],
        former_seeds=["cd"],
        rules=preset("wikipedia"),
    )

    async def write(db: WriteTransaction) -> None:
        await db.deals.change(anew)
        assert await db.deals.get(playing.id, 1) == anew
        await db.deals.append_events(playing.id, 1, 0, by(None, ALL[:1]), 5)

    await store.write(write)
    with pytest.raises(SequenceGapError):
        await store.write(lambda db: db.deals.change(first_deal(playing)))


@pytest.mark.parametrize("deal_no", [0, 1, 3])
async def test_deals_are_numbered_without_gaps(store: Store, playing: TableRow, deal_no: int):
    with pytest.raises(SequenceGapError):
        await store.write(lambda db: db.deals.start(replace(first_deal(playing), deal_no=deal_no)))
    await store.write(lambda db: db.deals.start(replace(first_deal(playing), deal_no=2)))


async def test_results_come_back_deal_by_deal(store: Store, playing: TableRow):
    first = [
        ResultRow(playing.id, 1, 0, 11, "राम", Status.SEEN, 7, 13, 20, winner=True),
        ResultRow(playing.id, 1, 1, 12, "Sita", Status.UNSEEN, 0, -10, -15, winner=False),
        ResultRow(playing.id, 1, 2, None, "Kanchha", Status.SEEN, 3, -3, -5, winner=False),
    ]
    second = [replace(row, deal_no=2) for row in first]

    async def write(db: WriteTransaction) -> None:
        await db.deals.start(replace(first_deal(playing), deal_no=2))
        await db.deals.add_results(playing.id, 2, second[::-1])
        await db.deals.add_results(playing.id, 1, first)

    await store.write(write)
    results = await store.read(lambda db: db.deals.results(playing.id))
    assert results == first + second
    assert {type(row.status) for row in results} == {Status}


async def test_the_results_of_one_deal_and_of_one_person_are_read_alone(store: Store, playing: TableRow):
    first = ResultRow(playing.id, 1, 0, 11, "राम", Status.SEEN, 7, 13, 20, winner=True)
    second = [replace(first, deal_no=2), replace(first, deal_no=2, seat=1, person_id=12, winner=False)]

    async def write(db: WriteTransaction) -> None:
        await db.deals.start(replace(first_deal(playing), deal_no=2))
        await db.deals.add_results(playing.id, 1, [first])
        await db.deals.add_results(playing.id, 2, second)

    async def read(db: ReadTransaction) -> None:
        assert await db.deals.results_of_deal(playing.id, 1) == [first]
        assert await db.deals.results_of_deal(playing.id, 2) == second
        assert [await db.deals.has_played(playing.id, person) for person in (11, 12, 13)] == [
            True,
            True,
            False,
        ]

    await store.write(write)
    await store.read(read)


async def test_results_are_booked_once(store: Store, playing: TableRow):
    row = ResultRow(playing.id, 1, 0, 11, "राम", Status.SEEN, 7, 13, 20, winner=True)

    async def write(db: WriteTransaction) -> None:
        await db.deals.add_results(playing.id, 1, [row])
        await db.deals.add_results(playing.id, 1, [])

    await store.write(write)
    with pytest.raises(IntegrityError):
        await store.write(lambda db: db.deals.add_results(playing.id, 1, [row]))
    with pytest.raises(ValueError, match="not all results"):
        await store.write(lambda db: db.deals.add_results(playing.id, 2, [row]))
