"""How `make load` judges answers: by what the press itself has shown, and by what the bot has stored."""

import math
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from data.store import Store
from playground.interactions import UPDATE_LATER
from playground.server import Playground
from playground.validation.messages import check_message
from tests.games import FileOfGames
from tests.load.auditing import LOST, MADE, audit_moves
from tests.load.judging import WELCOMES, a_move, anything
from tests.load.measuring import Step
from tests.load.panels import Choice, offers, words
from tests.load.presses import Aim, Press, Presses
from tests.load.spent import Spent, spent_by
from tests.test_house import ROOT

COMPONENTS = 1 << 15


def shown(text: str) -> dict:
    button = {"type": 2, "style": 1, "label": "Draw", "custom_id": "mr1:draw:1:1"}
    return {"components": [{"type": 10, "content": text}, {"type": 1, "components": [button]}]}


def press(discord: Playground, aim: Aim, text: str = "your turn") -> Press:
    """Press a button of a new message."""
    world, payload = discord.world, shown(text) | {"flags": COMPONENTS}
    draft = check_message(payload, {}, world.ids)
    message = discord.services.writer.write(world.channel("marriage"), world.bot, draft, payload)
    presses = Presses(discord.services)
    return presses.press(aim, world.welcome("asha"), message, Choice(offers(message)["draw"]))


async def test_a_deferred_answer_is_complete_when_its_own_token_has_edited_the_message():
    """The bot may edit the message meanwhile for another reason, which does not answer the press."""
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


@pytest.mark.parametrize("welcome", WELCOMES)
async def test_a_move_that_was_refused_to_somebody_who_came_back_is_no_move(welcome: str):
    said = f"{welcome}\n> It is not your turn"
    async with Playground() as discord:
        made = press(discord, Aim("move", anything), said)
        discord.services.interactions.close()
        assert a_move(1)(made, made.interaction.message) == "> It is not your turn"


@pytest.mark.parametrize(
    ("is_stored", "fault", "found"),
    [
        (True, "", ""),
        (False, "", f"{LOST}: your turn"),
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
        await store.write(lambda db: db.interactions.record(made.interaction.id, None, 1, "", 1))
    await audit_moves(FileOfGames(path).rows, [made])
    await store.close()
    assert made.fault == found


def test_a_process_is_not_counted_among_those_that_it_has_started():
    asked = (
        "import os; from tests.load.spent import spent_below, spent_by;"
        "print(spent_by(os.getpid()).rss_mb, spent_below(os.getpid()).rss_mb)"
    )
    run = subprocess.run((sys.executable, "-c", asked), cwd=ROOT, capture_output=True, text=True, check=True)
    alone, below = map(float, run.stdout.split())
    assert alone > 0
    assert below == 0


def test_a_little_work_is_counted_too():
    before = spent_by(os.getpid()).cpu_s
    sum(range(1000))
    assert spent_by(os.getpid()).cpu_s > before


def test_a_process_that_has_ended_takes_nothing():
    run = subprocess.Popen((sys.executable, "-c", ""))
    run.wait()
    assert spent_by(run.pid) == Spent()


@pytest.mark.parametrize(("unanswered", "passed"), [(0, True), (1, False)])
def test_a_rate_at_which_one_press_is_not_answered_does_not_pass(unanswered: int, passed: bool):
    times = [10.0] * (150 - unanswered) + [math.inf] * unanswered
    faults = Counter({("move", "announced, never completed"): unanswered})
    step = Step(2.5, 60, Counter(move=150), {}, +faults, unanswered, times, times, {}, [], 0, 0, 0, 0, 0, 0)
    assert step.passed is passed
