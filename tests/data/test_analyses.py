"""The store of analyses: each belongs to a person, and is deleted with them."""

from dataclasses import replace

import pytest
from sqlalchemy import text

from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import TableRow
from marriage.actions import Discard, DrawStock, Show, TakeDiscard
from marriage.analysis.deal_analysis import Analysis, Decision, Draw
from marriage.analysis.options import Option
from marriage.analysis.verdicts import Verdict
from marriage.cards import Card, parse_cards
from tests.data.conftest import RAM, SITA

SHOWN = tuple(parse_cards(sets) for sets in ("3S 4S 5S", "6H 6H 6H", "QS KS AS"))
DECISIONS = (
    Decision(
        step=4,
        chosen=Option(DrawStock(), 1.5, missing=2, outs=12),
        best=Option(TakeDiscard(), 5.0, missing=1),
        others=(),
        loss=3.5,
        verdict=Verdict.BLUNDER,
        accuracy=61.25,
        rollouts=40,
    ),
    Decision(
        step=5,
        chosen=Option(Discard(Card(7)), -2.0, 1, 9),
        best=Option(Show(SHOWN), 0.5),
        others=(Option(Discard(Card(9)), -2.5),),
        loss=2.5,
        verdict=Verdict.MISTAKE,
        accuracy=70.0,
    ),
)
ANALYSED = Analysis(0, 3, DECISIONS, (Draw(5, Card(7), -0.25),), net=-12)


async def test_an_analysis_is_kept_with_its_deal_for_its_person(store: Store, playing: TableRow):
    async def work(db: WriteTransaction) -> None:
        assert await db.analyses.of_deal(playing.id, 1, RAM) is None
        await db.analyses.keep(playing.id, 1, RAM, ANALYSED, 5_000)

    await store.write(work)

    async def read(db: ReadTransaction) -> None:
        assert await db.analyses.of_deal(playing.id, 1, RAM) == ANALYSED
        assert await db.analyses.of_deal(playing.id, 1, SITA) is None
        assert await db.analyses.latest(RAM, 5) == [(ANALYSED.accuracy, pytest.approx(9))]
        assert await db.analyses.latest(SITA, 5) == []

    await store.read(read)
    again = replace(ANALYSED, net=3)

    async def write(db: WriteTransaction) -> None:
        await db.analyses.keep(playing.id, 1, RAM, again, 6_000)
        assert await db.analyses.of_deal(playing.id, 1, RAM) == again

    await store.write(write)


async def test_a_deal_without_a_decision_has_no_figures(store: Store, playing: TableRow):
    nothing = replace(ANALYSED, decisions=())

    async def write(db: WriteTransaction) -> None:
        await db.analyses.keep(playing.id, 1, RAM, nothing, 5_000)
        assert await db.analyses.of_deal(playing.id, 1, RAM) == nothing
        assert await db.analyses.latest(RAM, 5) == []

    await store.write(write)


async def test_what_an_earlier_version_made_is_not_found(store: Store, playing: TableRow):
    async def write(db: WriteTransaction) -> None:
        await db.analyses.keep(playing.id, 1, RAM, ANALYSED, 5_000)
        await db.tables._execute(text("UPDATE analysis SET version = 0"))
        assert await db.analyses.of_deal(playing.id, 1, RAM) is None
        assert await db.analyses.latest(RAM, 5) == []

    await store.write(write)


async def test_a_persons_file_has_their_analyses_and_forgetting_removes_them(store: Store, playing: TableRow):
    async def work(db: WriteTransaction) -> None:
        await db.analyses.keep(playing.id, 1, RAM, ANALYSED, 5_000)
        await db.analyses.keep(playing.id, 1, SITA, ANALYSED, 5_000)

    await store.write(work)

    async def write(db: WriteTransaction) -> None:
        (row,) = (await db.privacy.everything_of(RAM))["analysis"]
        assert row["deal_no"] == 1
        assert row["analysis"]["net"] == -12
        await db.privacy.forget(RAM, 9_000, "Player {number}")
        assert await db.analyses.of_deal(playing.id, 1, RAM) is None
        assert await db.analyses.of_deal(playing.id, 1, SITA) == ANALYSED

    await store.write(write)
