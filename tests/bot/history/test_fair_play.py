"""Fair play for staff: what is counted, and how it is worded."""

from dataclasses import replace

from bot.history.fair_play import FairPlayQuestion, Fed, Questions, add_throws, questions
from bot.panels.history.fair_play import questions_panel
from bot.words.texts import texts
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import DealRow, PlayedRow
from league.statistics.fairplay import Throws, Transfer
from marriage.cards import Card
from marriage.events import Discarded, Drew, Took
from marriage.rules import PRESETS
from marriage.sheet import Ending
from tests.damaging import damage_deals
from tests.league.deals import season
from tests.league.facts import seat

GUILD, CARD = 1, Card.parse("5H")
EVIL = "**x** <@1>"


def words(found: Questions) -> str:
    return "\n".join(
        str(part.content)
        for part in questions_panel(found, texts()).view.walk_children()
        if hasattr(part, "content")
    )


def test_discards_are_counted_by_who_could_take_them():
    events = [
        Drew(0, CARD), Discarded(0, CARD), Took(1, CARD), Discarded(1, CARD), Drew(2, CARD), Discarded(2, CARD),
        Took(0, CARD), Discarded(0, CARD), Drew(1, CARD), Discarded(1, CARD),
    ]  # fmt: skip
    throws = Throws.nothing()
    add_throws(throws, 11, (11, 12, 13), events)
    assert (dict(throws.thrown), dict(throws.taken)) == ({12: 2}, {12: 1})
    add_throws(throws, 13, (11, None, 13), events)
    assert (throws.thrown[11], throws.taken[11]) == (1, 1)
    before = dict(throws.thrown)
    add_throws(throws, 11, (11, None, 13), events)  # a computer sits next
    assert dict(throws.thrown) == before


def test_a_question_says_what_chance_would_bring():
    question = FairPlayQuestion(Transfer(1, 2, 72, 4.12), EVIL, "Bikram", 0.8, Fed(0.34, 0.12, 2.1))
    said = words(Questions((question,), 500, 780, 0.181))
    assert "z 4.1, over 72 deals" in said
    assert "80%" in said
    assert "34%" in said
    assert "0.18 of them would be listed here by chance" in said
    assert EVIL not in said
    assert "questions, not verdicts" in said
    bare = words(Questions((replace(question, fed=None),), 500, 780, 0.181))
    assert "threw" not in bare
    assert "No pair stands out" in words(Questions((), 0, 0, 0.0))


async def test_a_pair_that_plays_for_one_is_asked_about(place):
    store = await Store.open(place)
    rules = PRESETS["pagat"]
    try:

        async def write(db: WriteTransaction) -> None:
            await db.guilds.keep(GUILD)
            last = 0
            for person in range(16):
                await db.people.keep(person, f"P{person}", 0)
            table = await db.tables.create(GUILD, 2, 0, rules, 0)
            for number, deal in enumerate(season([0.0] * 12, 900, seed=8), 1):
                await db.deals.start(DealRow(table.id, number, b"", "", [], 1, 1, rules, 0, 0, ended_at=1))
                nets = dict(zip(deal.players, deal.points, strict=True))
                if {3, 5} <= set(nets):
                    nets[3] -= 20
                    nets[5] += 20
                row = PlayedRow(
                    table_id=table.id, deal_no=number, match_no=None, match_deal=None, guild_id=GUILD,
                    channel_id=2, private=False, preset="pagat", variations=0, seats=len(nets),
                    ending=Ending.GROUPS, stopped=False, started_at=0, ended_at=number,
                )  # fmt: skip
                await db.stats.add_deal(row, [seat(person, net) for person, net in nets.items()])
                last = number if 3 in nets else last
            await db.deals.append_events(table.id, last, 0, [(Drew(0, CARD), None)], 5)

        await store.write(write)

        async def read(db: ReadTransaction):
            found = await questions(db, GUILD, 0)
            later = await questions(db, GUILD, 10**6)
            return found, later

        found, later = await store.read(read)
        await damage_deals(store, 1)
        without, _ = await store.read(read)
    finally:
        await store.close()
    assert [(pair.giver, pair.receiver) for pair in found.pairs] == [("P3", "P5")]
    assert found.pairs[0].company == 1  # all the deals were at one table
    assert found.pairs[0].fed is None
    assert found.damaged == ()
    assert without.pairs == found.pairs
    assert len(without.damaged) == 1  # the one deal whose moves are stored
    assert (found.deals, found.expected < 0.1) == (900, True)
    assert (later.deals, later.pairs, later.expected) == (0, (), 0)
