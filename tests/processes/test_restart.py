"""The bot ends in the middle of a deal and comes back: stopped cleanly, or killed."""

import asyncio
import json
import re
import sys

import pytest

from bot.words.texts import card_name, texts
from data.store import Store
from data.transaction import ReadTransaction
from marriage.cards import Card
from playground.person import Person
from playground.shown import Shown
from tests.crash.endings import killed_before_discord_answers
from tests.crash.storm import Storm
from tests.e2e.dullbot import DULL
from tests.e2e.players import (
    HAND,
    NEXT,
    PATIENCE,
    START,
    act,
    discards,
    is_asked,
    open_table,
    panel_in_dm,
    play_by_buttons,
    throw,
)
from tests.e2e.running import ROOT, Process, environment, ready
from tests.e2e.test_restart import in_the_middle
from tests.games import FileOfGames
from tests.waiting import SLOW_DEADLINE

REVISION = re.compile(r"mr1:[a-z-]+:1:(\d+)")


def revision(shown) -> int:
    return max(int(REVISION.match(button.custom_id)[1]) for button in shown.buttons)


def cards(panel) -> str:
    """Return the hand as the picture's alt text lists it."""
    return panel.files[-1].alt


async def stored(path):
    store = await Store.open(path)
    try:

        async def read(db: ReadTransaction):
            return await db.tables.get(1), await db.deals.events(1, 1)

        return await store.read(read)
    finally:
        await store.close()


@pytest.mark.real
async def test_a_deal_goes_on_after_the_process_ended(discord, start_process, path):
    first = await start_process(module=DULL)
    asha, table, panel = await in_the_middle(discord)
    assert await first.kill() == -9
    row, _ = await stored(path)
    assert row.revision == revision(panel)

    await start_process(module=DULL)
    again = await asha.wait_for(lambda: panel_in_dm(asha))
    assert (again.id, revision(again), cards(again)) == (panel.id, revision(panel), cards(panel))
    looked = (await asha.press(HAND, message=table)).message
    assert cards(looked) == cards(panel)
    assert discards(looked) == discards(panel)
    await asha.wait_for(lambda: "**Asha** has drawn and discards next" in asha.look(table).text)

    card = discards(panel)[-1]
    shown = await throw(asha, panel, card)  # the button from before the end
    assert "nothing was done" not in shown.text
    await asha.sees(f"Asha discarded {card_name(Card.parse(card), texts())}")
    await play_by_buttons(asha)
    await asha.wait_for(lambda: asha.look(table).button(NEXT), timeout=PATIENCE)
    assert len([message for message in asha.messages() if not message.ephemeral]) == 1


@pytest.mark.real
async def test_what_is_being_answered_when_told_to_stop_is_answered(discord, start_process):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    process = await start_process(module=DULL)
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    mover, panel = await who_is_asked(asha, bikram)
    hold = discord.faults.hold("/callback", method="POST")
    presses = [
        asyncio.create_task(person.press(HAND, message=table)) for person in (asha, bikram, asha, bikram)
    ]
    moving = asyncio.create_task(act(mover, panel))
    await hold.reached(5)
    ending = asyncio.create_task(process.terminate())
    await asyncio.wait({ending}, timeout=0.3)
    assert not ending.done()
    discord.faults.clear()
    answers = await asyncio.gather(*presses)
    assert await ending == 0
    assert [answer.message.files[-1].alt[:9] for answer in answers] == ["Your hand"] * 4
    assert (await moving).panel.id == panel.id
    assert process.complaints == []


async def who_is_asked(*people: Person) -> tuple[Person, Shown]:
    """Return the person whose hand asks for a move, and that hand."""

    def asked() -> tuple[Person, Shown] | None:
        hands = [(person, panel_in_dm(person)) for person in people]
        return next(((person, hand) for person, hand in hands if hand is not None and is_asked(hand)), None)

    found = await people[0].wait_for(asked, timeout=PATIENCE)
    assert found is not None
    return found


@pytest.mark.real
async def test_what_was_acknowledged_survives_a_kill_at_any_moment(discord, path):
    storm = Storm(discord, FileOfGames(path), number=7, small=True)
    await storm.run(1, endings=[killed_before_discord_answers])  # `make crash` tests more
    discord.forgiven = len(storm.excused)
    assert storm.broken == []
    assert storm.screens.compared


@pytest.mark.real
async def test_a_process_tells_its_end_and_leaves_no_lock(discord, start_process, path):
    process = await start_process()
    assert await process.terminate() == 0
    assert "bot.stopping" in [json.loads(line)["event"] for line in process.lines]
    assert (await start_process()).complaints == []


@pytest.mark.by_name
async def test_a_second_process_gives_way_and_a_revoked_token_ends_the_first(discord, path):
    first = await Process.start(discord, path)
    await ready(discord, first.life)
    second = await Process.start(discord, path)
    assert await second.life == 75
    assert discord.gateway.identified == 1
    discord.services.token = "playground.another"
    discord.gateway.drop()
    assert await first.life == 78
    assert [json.loads(line)["event"] for line in first.complaints] == ["discord.closed"]


@pytest.mark.by_name
@pytest.mark.parametrize("route", ["/users/@me", "/applications/"])
async def test_told_to_stop_while_it_starts_it_ends_well(discord, path, route):
    hold = discord.faults.hold(route)
    process = await Process.start(discord, path)
    await hold.reached()
    assert await process.terminate() == 0
    assert process.complaints == []
    hold.release()


@pytest.mark.by_name
async def test_a_wrong_token_is_told_in_one_sentence(discord, path):
    process = await Process.start(discord, path, discord_token="not.the.token", log_format="text")
    assert await process.life == 78
    (said,) = [line for line in process.lines if "token" in line]
    assert said.startswith("Discord refuses the token in DISCORD_TOKEN. Copy the token again")
    assert not [line for line in process.lines if "Traceback" in line or "not.the.token" in line]


@pytest.mark.real
async def test_a_copy_of_a_running_bot_is_put_back_when_it_has_ended(discord, start_process, path, tmp_path):
    process = await start_process(module=DULL)
    _, _, panel = await in_the_middle(discord)
    copy = tmp_path / "copy.sqlite3"
    assert await command(discord, path, "backup", copy) == 0
    assert await command(discord, path, "restore", copy) != 0  # the bot is running
    assert await process.terminate() == 0
    path.unlink()
    assert await command(discord, path, "restore", copy) == 0
    row, _ = await stored(path)
    assert row.revision == revision(panel)


async def command(discord, path, *arguments) -> int:
    """Return the exit code of `python -m bot` with these arguments."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *map(str, arguments)), cwd=ROOT, env=environment(discord, path)
    )
    async with asyncio.timeout(SLOW_DEADLINE):
        return await child.wait()
