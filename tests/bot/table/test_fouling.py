"""Ruling a foul at a table: who may, what everyone reads about it, and its effect on the deal."""

from itertools import count

import pytest
from structlog.testing import capture_logs

from bot.app import TipluBot
from bot.errors import StaleRevisionError, UserError
from bot.panels.table.more import confirm_panel, fouls_panel, more_panel, why_panel
from bot.people import NamedPerson
from bot.table.hosting import Actor
from bot.words.texts import texts
from data.transaction import ReadTransaction, WriteTransaction
from league.ids import TableId
from league.statistics.stats import DealFacts
from marriage.errors import IllegalActionError
from marriage.events import FoulReason
from marriage.rules import preset
from marriage.sheet import Sheet
from tests.bot.test_match_panels import GITA, RAM, SITA, begin, play, shown, words
from tests.bot.test_panels import checked
from tests.damaging import damage_deals

pytestmark = pytest.mark.usefixtures("decided")

HOST, STAFF = Actor(RAM), Actor(GITA, is_staff=True)
OUTSIDE = Actor(NamedPerson(9, "Hari"), is_staff=True)
EACH = preset("gambiter")
NEXT = preset("pagat", foul="next", foul_points=15, false_claim="foul")


async def rule(bot: TipluBot, actor: Actor, seat: int, number: int, deal: int = 1) -> None:
    await bot.services.fouling.rule(1, actor, deal, seat, FoulReason.TOLD, number)


async def test_everybody_reads_a_ruling_and_it_can_be_taken_back(bot: TipluBot):
    await begin(bot, EACH, deals=2)
    for actor, rules in ((HOST, True), (Actor(SITA), False), (STAFF, False), (OUTSIDE, True)):
        more = checked(more_panel(await bot.services.tables.snapshot(1), actor, texts()))
        assert ("Rule a foul…" in str(more.components)) == rules
    await rule(bot, HOST, 1, 50)
    said = await shown(bot)
    assert "**Foul** ruled against **Sita**: told or showed cards of a hand in play." in said
    assert "Ram ruled a foul against Sita" in said
    assert "a foul pays 15 to each other player" in said
    await bot.services.fouling.lift(1, HOST, 1, 1, 51)
    said = await shown(bot)
    assert "**Foul** ruled" not in said
    assert "was lifted" in said


async def rated(bot: TipluBot) -> list[DealFacts]:
    """Return the deals that ratings and boards count."""

    async def read(db: ReadTransaction):
        return [deal async for deal in db.stats.rated_deals(900, 0)]

    return await bot.services.store.read(read)


async def sheet(bot: TipluBot) -> Sheet:
    view = (await bot.services.tables.snapshot(1)).public
    assert view is not None
    assert view.sheet is not None
    return view.sheet


@pytest.mark.parametrize("ruled", [True, False])
async def test_a_foul_ruled_by_somebody_who_does_not_play_is_paid_and_its_deal_counts_for_no_board(
    bot: TipluBot, ruled: bool
):
    await begin(bot, EACH, deals=1)
    if ruled:
        await rule(bot, OUTSIDE, 1, 50)
    await play(bot)
    lines = (await sheet(bot)).lines
    assert [line.foul for line in lines] == ([15, -30, 15] if ruled else [0, 0, 0])
    assert len(await rated(bot)) == (0 if ruled else 1)


async def test_a_player_s_ruling_takes_no_deal_out_of_the_ratings_and_changes_none(bot: TipluBot):
    """Otherwise a host who is about to lose could rule a foul, and the loss would not count."""
    await begin(bot, EACH, deals=1)
    await rule(bot, HOST, 1, 50)
    await play(bot)
    lines = (await sheet(bot)).lines
    assert [line.foul for line in lines] == [15, -30, 15]
    (deal,) = await rated(bot)
    assert [seat.counted for seat in deal.seats] == [line.net - line.foul for line in lines]
    assert [seat.net for seat in deal.seats] == [line.net for line in lines], "as on the score sheet"


async def test_a_ruled_foul_that_is_paid_in_a_later_deal_counts_for_no_rating_there(bot: TipluBot):
    """Sita owes for a ruling, and Gita for a wrong show of her own; a deal without a winner comes between."""
    services, ids = bot.services, count(50)

    async def go_on() -> None:
        for person in (RAM, SITA, GITA):
            await services.play.next_deal(1, person.id, next(ids))

    await begin(bot, NEXT, deals=3)
    await rule(bot, HOST, 1, next(ids))
    await play(bot, bungler=GITA)
    await go_on()
    await rule(bot, HOST, 0, next(ids), deal=2)
    for person in (RAM, SITA, GITA):
        await services.endings.ask(1, person.id, next(ids))
    await go_on()
    await play(bot)
    last = await sheet(bot)
    assert last.winner is not None
    due = [0, 0, -15]
    due[last.winner] += 15
    deal = (await rated(bot))[-1]
    assert [line.foul - seat.ruled for seat, line in zip(deal.seats, last.lines, strict=True)] == due


async def test_a_deal_ends_although_the_one_before_whose_foul_it_owes_is_damaged(bot: TipluBot):
    services, ids = bot.services, count(50)
    await begin(bot, NEXT, deals=2)
    await rule(bot, HOST, 1, next(ids))
    await play(bot)
    await damage_deals(services.store, TableId(1))
    for person in (RAM, SITA, GITA):
        await services.play.next_deal(1, person.id, next(ids))
    with capture_logs() as logs:
        await play(bot)
    assert [entry["event"] for entry in logs if entry["log_level"] == "error"] == ["stats.debts_unknown"]
    last = await sheet(bot)
    assert [line.foul for line in last.lines] != [0, 0, 0]
    assert [seat.ruled for seat in (await rated(bot))[-1].seats] == [0, 0, 0]


@pytest.mark.parametrize(("actor", "key"), [(Actor(SITA), "sorry.host_only"), (STAFF, "sorry.staff_seated")])
async def test_nobody_else_rules_a_foul(bot: TipluBot, actor: Actor, key: str):
    await begin(bot, EACH, deals=1)
    with pytest.raises(UserError) as refused:
        await rule(bot, actor, 0, 50)
    assert refused.value.key == key


async def test_staff_who_sit_out_rule_no_foul_against_those_they_play_with_and_block_nobody(bot: TipluBot):
    services, ids = bot.services, count(50)
    await begin(bot, EACH, deals=2)
    await play(bot)
    await services.changing.sit_out(1, GITA.id, next(ids))
    for person in (RAM, SITA):
        await services.play.next_deal(1, person.id, next(ids))
    snapshot = await services.tables.snapshot(1)
    assert snapshot.table.status == "playing"
    for actor, rules in ((HOST, True), (STAFF, False)):
        assert ("Rule a foul…" in str(checked(more_panel(snapshot, actor, texts())).components)) == rules
    for refused in (
        rule(bot, STAFF, 0, next(ids), deal=2),
        services.hosting.block(1, STAFF, SITA, next(ids)),
    ):
        with pytest.raises(UserError, match="staff_seated"):
            await refused
    await rule(bot, OUTSIDE, 0, next(ids), deal=2)


async def test_in_a_league_staff_who_do_not_sit_there_rule_and_nobody_else(bot: TipluBot):
    await begin(bot, EACH, deals=1)

    async def write(db: WriteTransaction) -> None:
        table = await db.tables.get(1)
        assert table is not None
        await db.tables.update(table, options=table.options.model_copy(update={"league": True}))

    await bot.services.store.write(write)
    for actor, key in ((HOST, "sorry.staff_only"), (STAFF, "sorry.staff_seated")):
        with pytest.raises(UserError) as refused:
            await rule(bot, actor, 1, 50)
        assert refused.value.key == key
    await rule(bot, Actor(NamedPerson(9, "Maya"), is_staff=True), 1, 51)
    assert "The staff ruled a foul against Sita" in await shown(bot)

    async def read(db: ReadTransaction) -> None:
        assert [(act.act, act.reason) for act in await db.staff_log.latest(900, 5)] == [("foul", "foul told")]

    await bot.services.store.read(read)


async def test_nothing_is_ruled_twice_or_where_fouls_cost_nothing_or_in_another_deal(bot: TipluBot):
    await begin(bot, EACH, deals=1)
    await rule(bot, HOST, 1, 50)
    with pytest.raises(IllegalActionError):
        await rule(bot, HOST, 1, 51)
    with pytest.raises(StaleRevisionError):
        await rule(bot, HOST, 2, 52, deal=2)
    await play(bot)
    with pytest.raises(UserError):
        await rule(bot, HOST, 2, 53)


async def test_before_a_foul_is_ruled_one_reads_what_everybody_will(bot: TipluBot):
    await begin(bot, EACH, deals=1)
    snapshot = await bot.services.tables.snapshot(1)
    assert "you can lift it" in words(checked(fouls_panel(snapshot, texts())))
    assert "**Sita**" in words(checked(why_panel(snapshot, 1, texts())))
    said = words(checked(confirm_panel(snapshot, 1, FoulReason.DELAYED, texts())))
    assert "**Sita**: held up the deal on purpose" in said
    assert "Everybody at the table reads it" in said
