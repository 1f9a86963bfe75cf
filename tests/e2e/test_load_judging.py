"""How `make load` judges answers: by what the press itself has shown, and by what the bot has stored."""

from pathlib import Path

import pytest

from data.store import Store
from playground.interactions import UPDATE_LATER
from playground.server import Playground
from playground.validation.messages import check_message
from tests.load.auditing import LOST, MADE, audit_moves
from tests.load.judging import anything
from tests.load.panels import Choice, offers, words
from tests.load.presses import Aim, Press, Presses

COMPONENTS = 1 << 15


def shown(text: str) -> dict:
    button = {"type": 2, "style": 1, "label": "Draw", "custom_id": "mr1:draw:1:1"}
    return {"components": [{"type": 10, "content": text}, {"type": 1, "components": [button]}]}


def press(discord: Playground, aim: Aim) -> Press:
    """Somebody presses a button of a new message."""
    world, payload = discord.world, shown("your turn") | {"flags": COMPONENTS}
    draft = check_message(payload, {}, world.ids)
    message = discord.services.writer.write(world.channel("marriage"), world.bot, draft, payload)
    presses = Presses(discord.services)
    return presses.press(aim, world.welcome("asha"), message, Choice(offers(message)["draw"]))


async def test_a_deferred_answer_is_complete_when_its_own_token_has_edited_the_message():
    """The bot may edit the message for another reason meanwhile: that shows nothing of the press."""
    async with Playground() as discord:
        judged: list[str] = []
        aim = Aim("move", lambda _, message: judged.append(words(message)) or "")
        made, interactions = press(discord, aim), discord.services.interactions
        interactions.answer(made.interaction, {"type": UPDATE_LATER}, {})
        message = made.interaction.message
        discord.services.writer.edit(
            message, check_message(shown("as it was"), {}, discord.world.ids, before=message), {}
        )
        assert (made.acknowledged is not None, made.complete) == (True, None)
        interactions.edit(made.interaction, "@original", shown("moved"), {})
        assert (await made.ended).complete is not None
        assert judged == ["moved"]


@pytest.mark.parametrize(
    ("is_stored", "fault", "found"),
    [
        (True, "", ""),
        (False, "", LOST),
        (False, "> It is not your turn", "> It is not your turn"),
        (True, "> It is not your turn", f"{MADE}: > It is not your turn"),
    ],
)
async def test_what_the_answer_to_a_move_says_must_be_what_is_stored(
    path: Path, is_stored: bool, fault: str, found: str
):
    async with Playground() as discord:
        made = press(discord, Aim("move", anything))
        discord.services.interactions.close()
    made.complete, made.fault = 1.0, fault
    store = await Store.open(path)
    if is_stored:
        async with store.write() as db:
            await db.interactions.record(made.interaction.id, None, 1, "", 1)
    audit_moves(path, [made])
    await store.close()
    assert made.fault == found
