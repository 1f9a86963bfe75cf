"""What the table message says about a match: better deals, owed fouls, players who have left, ties."""

import re
from dataclasses import replace

import pytest

from bot.app import TipluBot
from bot.panels.table.match import ledger_panel, result_words
from bot.people import NamedPerson
from bot.table.core.snapshot import Snapshot
from bot.table.hosting import Actor
from bot.words.texts import texts
from data.preferences import Terms
from marriage.rules import Rules, preset
from marriage.state import Phase, ShowKind
from marriage.strategy.players import GreedyPlayer
from render.words import signed
from tests.bot.table.test_matches import FOULS, bungle
from tests.bot.test_panels import asked, checked, parts
from tests.bot.windows import move

pytestmark = pytest.mark.usefixtures("decided")

RAM, SITA, GITA = NamedPerson(1, "Ram"), NamedPerson(2, "Sita"), NamedPerson(3, "Gita")


async def begin(bot: TipluBot, rules: Rules, deals: int) -> None:
    await bot.services.store.write(lambda db: db.guilds.keep(900))
    await bot.services.lobby.open(900, 901, RAM, 1)
    await bot.services.lobby.join(1, SITA, 2)
    await bot.services.lobby.join(1, GITA, 3)
    await bot.services.hosting.set_terms(1, Actor(RAM), lambda _: Terms(rules=rules, deals=deals), 4)
    await bot.services.play.start(1, RAM.id, 5)


async def play(bot: TipluBot, bungler: NamedPerson | None = None) -> None:
    while (snapshot := await bot.services.tables.snapshot(1)).public.phase is not Phase.OVER:
        person = snapshot.seats[(await asked(bot, 1))[0]].person_id
        clumsy = bungler is not None and person == bungler.id
        await move(bot.services, 1, person, bungle if clumsy else GreedyPlayer(count_outs=False).choose)


async def shown(bot: TipluBot) -> str:
    """Return all text of the table message, asserting that Discord accepts it."""
    return words(checked(await bot.delivery.publisher.table_panel(await bot.services.tables.snapshot(1))))


async def sheet(bot: TipluBot) -> str:
    """Return the score sheet as text, from the alt text of its picture."""
    picture = await bot.services.pictures.table(await bot.services.tables.snapshot(1))
    assert picture is not None
    return picture.alt


def words(draft) -> str:
    return "\n".join(part["content"] for part in parts(draft.components) if "content" in part)


async def test_a_foul_is_announced_and_paid_by_a_player_who_has_left(bot: TipluBot):
    await begin(bot, FOULS, deals=3)
    await play(bot, bungler=SITA)
    assert "Sita, foul:" in await sheet(bot)
    await bot.services.leaving.leave(1, SITA.id, 10)
    await bot.services.play.next_deal(1, RAM.id, 11)
    await bot.services.play.next_deal(1, GITA.id, 12)
    assert "Fouls still owed to the next winner: 1, **15** points each." in await shown(bot)
    await play(bot)
    told = await sheet(bot)
    assert "Sita, sat out: −15; maal 0, difference 0, finish 0, foul −15, total −" in told
    assert "foul +15" in told
    snapshot = await bot.services.tables.snapshot(1)
    ledger = words(checked(ledger_panel(snapshot, texts())))
    assert f"Sita **{signed(snapshot.counted_totals[2])}** · has left" in ledger
    assert " −15\n" in ledger


async def test_a_better_deal_is_announced(bot: TipluBot):
    await begin(bot, preset("pagat", better_after=1), deals=4)
    for number in range(3):
        await play(bot)
        assert "A better deal" not in await shown(bot)
        for person in (RAM, SITA, GITA):
            await bot.services.play.next_deal(1, person.id, 20 + 3 * number + person.id)
    assert "⚡ A better deal: it counts **2** times." in await shown(bot)
    await play(bot)
    assert "4 of 4 deals played" in await shown(bot)


@pytest.mark.parametrize("dublee_game", ["off", "mark", "double"])
async def test_a_dublee_game_is_announced_at_the_table_and_on_its_sheet(bot: TipluBot, dublee_game: str):
    await begin(bot, preset("pagat", dublee_game=dublee_game), deals=4)
    snapshot = await bot.services.tables.snapshot(1)

    def with_dublees(snapshot: Snapshot) -> Snapshot:
        assert snapshot.public is not None
        first, *others = snapshot.public.seats
        seats = (replace(first, shown=ShowKind.DUBLEES), *others)
        return replace(snapshot, public=replace(snapshot.public, seats=seats))

    async def said(snapshot: Snapshot) -> str:
        return words(checked(await bot.delivery.publisher.table_panel(snapshot)))

    assert "Dublee game" not in await said(snapshot)
    assert ("**Dublee game:**" in await said(with_dublees(snapshot))) == (dublee_game != "off")
    await play(bot)
    over = with_dublees(await bot.services.tables.snapshot(1))
    assert (await said(over)).count("**Dublee game:**") == (dublee_game != "off")
    assert over.public is not None
    assert ("**Dublee game:**" in result_words(over.public, 1, over.counted_names, texts())) == (
        dublee_game != "off"
    )


async def test_a_match_without_a_point_ends_in_a_tie_that_nobody_pays_for(bot: TipluBot):
    await begin(bot, preset("pagat"), deals=1)
    for person in (RAM, SITA, GITA):
        await bot.services.endings.ask(1, person.id, 30 + person.id)
    over = await shown(bot)
    assert "**1** · Ram **0**\n**1** · Sita **0**\n**1** · Gita **0**" in over
    assert "Nobody owes anything." in over


async def test_staff_end_a_match_and_what_was_played_counts(bot: TipluBot):
    await begin(bot, preset("pagat"), deals=3)
    await play(bot)
    for person in (RAM, SITA, GITA):
        await bot.services.play.next_deal(1, person.id, 20 + person.id)
    await bot.services.endings.by_staff(1, 900, NamedPerson(9, "Hari"), "They had to go", 40)
    closed = await shown(bot)
    assert "2 of 3 deals played" in closed
    assert closed.count("The server's staff ended it.") == 1
    assert "Sita pays Ram" in closed


async def test_the_table_says_who_comes_who_sits_out_and_how_one_sits_down(bot: TipluBot):
    await begin(bot, preset("pagat"), deals=4)
    assert "to join from the next deal" not in await shown(bot)  # its button is enough during a deal
    await play(bot)
    assert (
        "A seat is free. Press **Sit down**, behind **More**, to join from the next deal, starting with no points."
        in await shown(bot)
    )
    uncle, aunt = NamedPerson(4, "*Uncle*"), NamedPerson(5, "Aunt")
    await bot.services.changing.sit_down(1, uncle, 40)
    await bot.services.changing.sit_out(1, SITA.id, 41)
    await bot.services.changing.sit_down(1, aunt, 42)
    between = await shown(bot)
    assert "Joining from the next deal: **\\*Uncle\\*** (0), **Aunt** (0)." in between
    assert (
        "Sitting out: **Sita**. **Sit down**, behind **More**, brings them back for the next deal." in between
    )
    assert "A seat is free" not in between  # Sita's seat is kept
    await bot.services.changing.sit_out(1, RAM.id, 43)
    await bot.services.leaving.leave(1, uncle.id, 44)
    await bot.services.leaving.leave(1, aunt.id, 45)
    assert "It waits until somebody presses **Sit down**, behind **More**" in await shown(bot)
    await bot.services.changing.sit_down(1, SITA, 46)
    await bot.services.play.next_deal(1, GITA.id, 47)
    await bot.services.play.next_deal(1, SITA.id, 48)
    assert "Sitting out: **Ram**" in await shown(bot)
    ledger = words(checked(ledger_panel(await bot.services.tables.snapshot(1), texts())))
    assert re.search(r"Ram \*\*\S+\*\* · sitting out\n", ledger)
    await bot.services.changing.sit_out(1, GITA.id, 49, in_deal=True)
    assert "Sitting out after this deal: **Gita**." in await shown(bot)


async def test_at_a_private_table_the_invited_are_told(bot: TipluBot):
    await bot.services.store.write(lambda db: db.guilds.keep(900))
    await bot.services.lobby.open(900, 901, RAM, 1, invited=[SITA])
    for number in range(4):
        await bot.services.hosting.add_computer(1, Actor(RAM), 10 + number)
    await bot.services.play.start(1, RAM.id, 20)
    await bot.services.endings.ask(1, RAM.id, 21)
    assert "**Kuber (bot)**, a computer, will make room for an invited player" in await shown(bot)
    await bot.services.changing.sit_down(1, SITA, 22)
    assert "Joining from the next deal: **Sita** (0). They replace Kuber (bot)." in await shown(bot)
