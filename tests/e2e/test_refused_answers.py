"""Answers that Discord refuses although the press was valid: the person sees the result in a new message."""

import pytest

from tests.e2e.looking import facts
from tests.e2e.players import (
    DRAW,
    START,
    discards,
    next_panel,
    open_table,
    press_in_dm,
    say,
    throw,
)


@pytest.mark.parametrize(
    ("status", "code"),
    [(404, 10008), (403, 50013), (400, 50083), (400, 50035)],
    ids=["unknown message", "missing permission", "archived thread", "invalid form"],
)
async def test_a_move_whose_answer_is_refused_is_shown_in_a_new_message(
    discord, bot, dull, watch, status, code
):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await next_panel(bikram)
    times = 2 if status == 400 else 1  # the table's picture, which was to be kept, is resent
    discord.faults.fail("/callback$", method="POST", status=status, code=code, times=times)
    drawn = (await press_in_dm(bikram, DRAW)).message
    assert drawn.ephemeral
    assert (await facts(bot)).events[-1].event == "drew"
    await throw(bikram, drawn, discards(drawn)[0])
    assert (await facts(bot)).events[-1].event == "discarded"
    assert len([line for line in watch.warnings if "answer.refused" in line]) == 1


async def test_what_was_written_in_a_form_is_shown_though_its_message_is_gone(discord, bot):
    asha = discord.person("asha")
    message = (await asha.slash("score new", players="Asha, Bina, Chandra")).message
    await asha.press(say("button.score_deal"), message=message)
    discord.world.delete_message(message.message)
    discord.faults.fail("/callback$", method="POST", status=404, code=10008)
    answer = await asha.submit({"winner": ["Asha"], "seen": ["Bina"], "maal": "Asha: 10"})
    assert answer.message.ephemeral
    assert "Deal 1 · Asha won" in answer.message.text
