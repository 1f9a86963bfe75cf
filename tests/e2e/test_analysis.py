"""The analysis of a player's own play in a finished deal, over the wire: computed once, shown to no one else."""

import asyncio
import re
from dataclasses import replace

import pytest

from data.preferences import PersonSettings
from marriage.actions import Discard
from marriage.analysis.deal_analysis import Analysis
from marriage.analysis.verdicts import Verdict
from marriage.cards import CARDS
from tests.e2e.forging import button, forge
from tests.e2e.players import (
    PATIENCE,
    START,
    open_table,
    panel_in_dm,
    play_by_buttons,
    press_tool,
    say,
)
from tests.statements import statements

ANALYSE, REPLAY = say("button.analyse"), say("button.replay")
ALL, BACK = say("analysis.all"), say("analysis.back")
ACCURACY = re.compile(r"Accuracy \*\*(\d+) %\*\* · (\d+) decisions? lost \*\*([\d.]+)\*\*")


async def opened(person, message=None, **options):
    """Return the message with the analysis, once it is ready."""
    if message is None:
        answer = await person.slash("analyse", **options)
    else:
        answer = await press_tool(person, message, ANALYSE)
    shown = answer.message
    return await person.wait_for(
        lambda: seen if ACCURACY.search((seen := person.look(shown)).text) else None, PATIENCE
    )


async def kept(bot, person) -> Analysis | None:
    return await bot.store.read(lambda db: db.analyses.of_deal(1, 1, person.id))


async def test_it_tells_how_they_played_and_is_made_once(bot, finished):
    asha, sheet = finished
    shown = await opened(asha, sheet)
    assert shown.ephemeral
    analysis = await kept(bot, asha)
    assert analysis is not None
    accuracy, count, _ = ACCURACY.search(shown.text).groups()
    assert int(count) == len(analysis.decisions)
    assert int(accuracy) == round(analysis.accuracy)
    assert f"{analysis.net:+d}" in shown.text
    (picture,) = shown.files
    assert picture.alt.startswith(f"Accuracy {round(analysis.accuracy)} %")
    made = statements(bot.store)
    again = await opened(asha)
    assert ACCURACY.search(again.text).groups() == ACCURACY.search(shown.text).groups()
    assert not [statement for statement in made if "INSERT INTO analysis" in statement]


async def test_one_that_cannot_be_drawn_can_be_asked_for_again(bot, finished, monkeypatch, watch):
    asha, sheet = finished
    with monkeypatch.context() as patch:
        patch.setattr(bot.bot.services.pictures, "analysis", None)
        await press_tool(asha, sheet, ANALYSE)
        await asha.sees("nothing was lost. Please try again")
    watch.expect("interaction.failed")
    assert await kept(bot, asha) is not None
    await opened(asha, sheet)


async def test_all_decisions_and_the_replay_are_a_press_away(bot, finished):
    asha, sheet = finished
    shown = await opened(asha, sheet)
    analysis = await kept(bot, asha)
    every = (await asha.press(ALL, message=shown)).message
    assert every.id == shown.id
    for decision in analysis.decisions:
        assert f"`{decision.step + 1}`" in every.text
    overview = (await asha.press(BACK, message=every)).message
    assert ACCURACY.search(overview.text)
    replayed = (await asha.press(REPLAY, message=overview)).message
    assert replayed.id == shown.id
    back = (await press_tool(asha, replayed, ANALYSE)).message
    assert back.id == shown.id
    assert ACCURACY.search(back.text)


async def test_the_worst_moments_lead_to_their_steps_in_the_replay(bot, finished):
    """This also holds if two of them are at one step; the deal has few wrong moves, so some are invented."""
    asha, sheet = finished
    await opened(asha, sheet)
    analysis = await kept(bot, asha)
    first, last = analysis.decisions[0], analysis.decisions[-1]
    wrong = [
        replace(each, loss=loss, verdict=Verdict.BLUNDER)
        for each, loss in ((first, 9), (first, 8), (last, 7))
    ]
    await bot.store.write(
        lambda db: db.analyses.keep(1, 1, asha.id, replace(analysis, decisions=tuple(wrong)), 1)
    )
    shown = await opened(asha, sheet)
    see = [each for each in shown.buttons if each.label.startswith("See step")]
    assert len(see) == 3
    for button_, decision in zip(see, wrong, strict=True):
        replayed = (await asha.press(button_.custom_id, message=shown)).message
        assert f"Step **{decision.step + 1}** of" in replayed.text
        shown = (await press_tool(asha, replayed, ANALYSE)).message


async def test_nobody_sees_how_others_played(discord, bot, finished):
    _, sheet = finished
    chandra = discord.person("chandra")
    answer = (await press_tool(chandra, sheet, ANALYSE)).message
    assert answer.ephemeral
    assert "You did not play in that deal" in answer.text
    assert await kept(bot, chandra) is None
    assert "no finished deal of yours" in (await chandra.slash("analyse")).message.text
    assert "You did not play" in (await chandra.slash("analyse", table=1, deal=1)).message.text
    assert "no such finished deal" in (await chandra.slash("analyse", table=9)).message.text


async def test_a_deal_that_is_on_is_not_analysed(discord, bot):
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    answer = await asha.slash("analyse", table=1, deal=1)
    assert "still in progress" in answer.message.text


async def test_who_reads_cards_in_words_gets_no_picture(bot, finished):
    asha, sheet = finished
    await bot.store.write(lambda db: db.people.set_settings(asha.id, PersonSettings(words=True)))
    shown = await opened(asha, sheet)
    assert shown.files == []


@pytest.mark.parametrize("argument", ["", "-1", "x", "9999"])
async def test_a_forged_page_is_refused(finished, argument):
    asha, sheet = finished
    await opened(asha, sheet)
    forged = forge(asha, button(f"mr1:analysis-page:1:1:{argument}"), private=True)
    answer = await asha.press("Forged", message=forged)
    assert "`1`" not in answer.message.text
    assert not answer.message.button(BACK)


async def test_a_page_that_there_is_not_is_the_last(finished):
    asha, sheet = finished
    await opened(asha, sheet)
    forged = forge(asha, button("mr1:analysis-page:1:1:999"), private=True)
    answer = await asha.press("Forged", message=forged)
    assert answer.message.button(BACK)


# The most expensive discard

LOST_THROW = say("button.lost_throw")


@pytest.fixture
async def lost(discord, bot, quick):
    """A deal that Bikram has lost to Asha after one discard; both hands say so."""
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await asyncio.gather(play_by_buttons(asha), play_by_buttons(bikram))
    return asha, bikram


async def asked(person):
    """Return the question, once the deal is analysed."""
    shown = (await person.press(LOST_THROW, message=panel_in_dm(person))).message
    return await person.wait_for(
        lambda: seen if "The throw that cost most" in (seen := person.look(shown)).text else None, PATIENCE
    )


async def test_a_lost_deal_offers_the_dearest_throw_as_a_puzzle_and_tells_why(bot, lost):
    asha, bikram = lost
    assert not panel_in_dm(asha).button(LOST_THROW)
    told = await asked(bikram)
    assert say("lostthrow.none") in told.text or say("lostthrow.ask") in told.text

    analysis = await kept(bot, bikram)
    throw = next(each for each in analysis.decisions if isinstance(each.chosen.action, Discard))
    better = next(option for option in throw.others if isinstance(option.action, Discard))
    wrong = replace(throw, best=better, loss=6.0, verdict=Verdict.BLUNDER)
    await bot.store.write(
        lambda db: db.analyses.keep(1, 1, bikram.id, replace(analysis, decisions=(wrong,)), 1)
    )

    question = await asked(bikram)
    assert say("lostthrow.ask") in question.text
    assert len(question.files) == 2  # the table, and the hand below it
    assert "Better:" not in question.text
    offered = [each.custom_id.rpartition(":")[2] for each in question.buttons]
    assert {str(throw.chosen.action.card), str(better.action.card)} <= set(offered)
    assert len(offered) <= 5
    answer = re.compile(rf"mr1:lost-throw-answer:1:1:{better.action.card}$")
    right = (await bikram.press(answer, message=question)).message
    assert right.id == question.id
    assert "✅" in right.text
    assert "Blunder: 6.0 points" in right.text
    replayed = (await bikram.press(re.compile("mr1:replay:"), message=right)).message
    assert f"Step **{throw.step + 1}** of" in replayed.text

    question = await asked(bikram)
    same = re.compile(rf"mr1:lost-throw-answer:1:1:{throw.chosen.action.card}$")
    missed = (await bikram.press(same, message=question)).message
    assert "❌" in missed.text


async def test_nobody_is_asked_about_the_throws_of_others_or_a_card_that_was_not_offered(discord, bot, lost):
    _, bikram = lost
    chandra = discord.person("chandra")
    message = forge(chandra, button("mr1:lost-throw:1:1"), private=True)
    assert "You did not play" in (await chandra.press("Forged", message=message)).message.text
    analysis = await kept_after_asking(bot, bikram)
    throw = next(each for each in analysis.decisions if isinstance(each.chosen.action, Discard))
    better = next(option for option in throw.others if isinstance(option.action, Discard))
    wrong = replace(throw, best=better, loss=6.0, verdict=Verdict.BLUNDER, others=())
    await bot.store.write(
        lambda db: db.analyses.keep(1, 1, bikram.id, replace(analysis, decisions=(wrong,)), 1)
    )
    offered = {throw.chosen.action.card, better.action.card}
    other = next(card for card in CARDS if card not in offered)
    message = forge(bikram, button(f"mr1:lost-throw-answer:1:1:{other}"), private=True)
    assert "out of date" in (await bikram.press("Forged", message=message)).message.text


async def kept_after_asking(bot, person) -> Analysis:
    await asked(person)
    analysis = await kept(bot, person)
    assert analysis is not None
    return analysis
