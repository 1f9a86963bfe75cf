"""Scorekeeping for a game with real cards, over the wire."""

import asyncio
import re

import pytest

from bot.scorekeeping.scorekeeper import FORGOTTEN_MS, Scorekeeper
from bot.words.texts import texts
from data.privacy.public_messages import MOST_SCORES
from data.transaction import ReadTransaction
from playground.person import CannotDoError
from tests.e2e.looking import published
from tests.e2e.players import say
from tests.e2e.running import MovableClock, Watch
from tests.gates import hold_before

ENTER, UNDO, CLOSE, REOPEN, NAMES, RULES, FIX = (
    say(f"button.score_{what}") for what in ("deal", "undo", "close", "reopen", "names", "rules", "fix")
)
PLAYERS = "Asha, Bina, Chandra"
MAAL = say("scoreform.maal")
WINNER, SEEN, TIPLU, SPECIAL = (say(f"scoreform.{what}") for what in ("winner", "seen", "tiplu", "special"))
TOTAL = re.compile(r"^\*\*([^*]+)\*\* \*\*([+−]?\d+)\*\*$", re.MULTILINE)
PAYS = re.compile(r"(\w+) pays (\w+) \*\*(\d+)\*\*")


def totals(shown) -> dict[str, int]:
    return {name: int(points.replace("−", "-")) for name, points in TOTAL.findall(shown.text)}


def pays(shown) -> list[tuple[str, str, int]]:
    return [(debtor, creditor, int(points)) for debtor, creditor, points in PAYS.findall(shown.text)]


async def enter(person, message, **answers):
    """Press Enter a deal, fill in the form, and check the result."""
    await person.press(ENTER, message=message)
    return await person.submit(answers)


async def rows(bot):
    async def read(db: ReadTransaction):
        return await db.score_sessions.get(1), await db.score_sessions.entries(1)

    return await bot.store.read(read)


@pytest.fixture
async def evening(discord, bot):
    asha = discord.person("asha")
    answer = await asha.slash("score new", players=PLAYERS, preset="kathmandu")
    return asha, answer.message


async def test_an_evening_from_its_first_deal_to_the_last_payment(discord, bot, evening):
    asha, message = evening
    assert not message.ephemeral
    assert "Asha, Bina, Chandra" in message.text
    assert "murder" in message.text
    assert message.button(UNDO).disabled

    answer = await enter(asha, message, winner=["Asha"], seen=["Bina"], maal="Asha: 10\nBina: 2\nChandra: 5")
    assert answer.message.id == message.id
    shown = asha.look(message)
    assert "Deal 1 · Asha won" in shown.text
    assert totals(shown) == {"Asha": 31, "Bina": -9, "Chandra": -22}
    assert pays(shown) == [("Chandra", "Asha", 22), ("Bina", "Asha", 9)]
    assert len(shown.files) == 1
    assert "Asha" in shown.files[0].alt

    await enter(
        asha,
        message,
        winner=["Bina"],
        seen=["Asha", "Bina"],
        tiplu="J♣",
        maal="Bina: 10C JC QC 6Hx3\nAsha: 3",
        special=["Chandra: dead hand (foul)"],
    )
    shown = asha.look(message)
    assert "marriage 10♣ J♣ Q♣ = 10" in shown.text
    assert "owed to the winner of the next deal" in shown.text
    before = totals(shown)
    assert sum(before.values()) == 0

    await enter(asha, message, winner=["Asha"], seen=["Bina", "Chandra"], maal="")
    shown = asha.look(message)
    assert "fouls −15" in shown.text
    assert totals(shown)["Asha"] == before["Asha"] + 3 + 3 + 15
    after = totals(shown)
    assert sum(after.values()) == 0
    assert sum(points for _, _, points in pays(shown)) == sum(
        points for points in after.values() if points > 0
    )

    again = (await discord.person("bikram").choose(say("score.look"), ["1"], message=message)).message
    assert again.ephemeral
    assert "Deal 1 · Asha won" in again.text

    await asha.press(UNDO, message=message)
    shown = asha.look(message)
    assert "Deal 3 is taken back" in shown.text
    assert totals(shown) == before
    _, entries = await rows(bot)
    assert [entry.undone for entry in entries] == [False, False, True]

    await asha.press(ENTER, message=message)
    await asha.submit()  # as it was typed before
    assert totals(asha.look(message)) == after

    await asha.press(CLOSE, message=message)
    shown = asha.look(message)
    assert "Settle up" in shown.text
    assert {button.label for button in shown.buttons} == {REOPEN}
    assert "This channel has no home game" in (await asha.slash("score deal")).message.text
    await asha.press(REOPEN, message=message)
    assert totals(asha.look(message)) == after


async def test_a_score_can_be_opened_written_down_and_shown_by_typing(discord, bot):
    asha = discord.person("asha")
    for command in ("deal", "sheet"):
        refused = (await asha.slash(f"score {command}")).message
        assert refused.ephemeral
        assert "This channel has no home game" in refused.text
    first = (await asha.slash("score new", players="राम, Sita; Ravan\nBali")).message
    await asha.slash("score deal")
    answer = await asha.submit({"winner": ["राम"], "maal": "राम: १२"})
    assert answer.message.id != first.id
    assert totals(answer.message)["राम"] == 4 * 12 - 12 + 30
    assert "Deal 1" in (await discord.person("bikram").slash("score sheet")).message.text
    sheet = (await asha.slash("score sheet", deal=1)).message
    assert sheet.ephemeral
    assert "no such deal" in (await asha.slash("score sheet", deal=2)).message.text
    shown = (await asha.slash("score sheet")).message
    shown = (await asha.press(UNDO, message=shown)).message
    assert "Deal 1 is taken back" in shown.text
    assert shown.button(UNDO) is None or shown.button(UNDO).disabled
    assert "closed" in (await asha.press(CLOSE, message=shown)).message.text


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({"maal": "Asha: -5"}, "“\\-5” is neither a number"),
        ({"maal": "Asha: 301"}, "a number from 0 to 300"),
        ({"maal": "Asha: 99999999999999999999"}, "a number from 0 to 300"),
        ({"maal": "Asha: 5\nAsha: 6"}, "two lines"),
        ({"maal": "Nobody: 5"}, "cannot tell whose maal"),
        ({"maal": "@everyone <@1> **x**"}, "cannot tell whose maal"),
        ({"maal": "Asha: 7H"}, "I need the tiplu"),
        ({"maal": "Asha: 7H 7H 7H", "tiplu": "7H"}, "appears 4 times"),
        ({"maal": "Asha: MAN", "tiplu": "7H"}, "there are only 0"),
        ({"maal": "Asha: 7H", "tiplu": "MAN"}, "a card of the packs"),
        ({"maal": "Asha: 7H", "tiplu": "1S"}, "is not a card"),
        ({"maal": "Asha: 6H laid", "tiplu": "7H"}, "must be among theirs"),
        ({"maal": "Asha: laid laid laid", "tiplu": "7H"}, "do not work"),
        ({"maal": "Asha: " + "7H " * 40, "tiplu": "7H"}, "do not work"),
        ({"maal": "Bina: 3", "special": ["Bina sat out"]}, "has no maal"),
        ({"seen": ["Bina"], "special": ["Bina sat out"]}, "both as having seen and as sitting out"),
        ({"special": ["Bina sat out", "Chandra sat out"]}, "at least 2 players"),
        ({"special": ["Asha: dead hand (foul)"]}, "cannot have won"),
    ],
)
async def test_what_cannot_be_is_said_and_what_was_typed_is_kept(discord, bot, evening, answers, words):
    asha, message = evening
    answer = await enter(asha, message, **({"winner": ["Asha"]} | answers))
    refused = asha.last()
    assert refused.ephemeral
    assert words in refused.text
    assert "I kept what you typed" in refused.text
    assert not refused.pinged
    assert "<@1>" not in refused.text
    assert answer.type in (4, 6)
    _, entries = await rows(bot)
    assert entries == []
    await asha.press(ENTER, message=message)
    await asha.submit({"maal": "Asha: 1", "tiplu": "", "seen": [], "special": []})
    assert "Deal 1 · Asha won" in asha.look(message).text


async def test_names_and_rules_are_read_strictly(discord, bot):
    asha = discord.person("asha")
    for players, words in (
        ("Asha", "2 to 6 players"),
        ("a,b,c,d,e,f,g", "2 to 6 players"),
        (",,,", "2 to 6 players"),
        ("Asha, asha", "the same name"),
        ("\u202e, \u200b", "2 to 6 players"),
    ):
        answer = await asha.slash("score new", players=players)
        assert answer.message.ephemeral
        assert words in answer.message.text
    message = (await asha.slash("score new", players="@everyone, **b** https://x.y <@1>")).message
    assert not message.pinged
    assert "<@1>" not in message.text
    assert r"\*\*b\*\*" in message.text
    assert "already has a home game" in (await asha.slash("score new", players="a,b")).message.text

    await asha.press(RULES, message=message)
    await asha.submit(
        {
            "unseen_maal": ["murder"],
            "foul": ["each"],
            "switches": ["alter", "throw_foul"],
            "figures": "5 15 7 20",
        }
    )
    session, _ = await rows(bot)
    assert (session.rules.unseen_maal, session.rules.foul, session.rules.foul_points) == (
        "murder",
        "each",
        20,
    )
    assert session.rules.throw_foul
    assert not session.rules.dublee
    for figures in ("3 10 5", "3 10 5 101", "3 51 5 99", "a b c d", "-1 1 1 1", "3 10 21 5"):
        await asha.press(RULES, message=message)
        await asha.submit({"figures": figures})
        assert "The four figures" in asha.last().text
    await asha.press(RULES, message=message)
    await asha.submit({"foul": ["off"]})
    assert "Choose what a foul costs" in asha.last().text
    assert (await rows(bot))[0] == session

    await asha.press(NAMES, message=message)
    await asha.submit({"names": "Asha"})
    assert "2 to 6 players" in asha.last().text
    await asha.press(NAMES, message=message)
    await asha.submit({"names": "Asha\nBina"})
    await enter(asha, message, winner=["Asha"])
    await asha.press(NAMES, message=message)
    await asha.submit({"names": "Asha\nBina\nChandra"})
    shown = asha.look(message)
    assert totals(shown)["Chandra"] == 0
    assert "**Chandra** **0**\n-# –" in shown.text
    assert "sat out" in shown.text
    await asha.press(NAMES, message=message)
    await asha.submit({"names": "Asha\nBina"})
    assert "Nobody can be removed" in asha.last().text
    with pytest.raises(CannotDoError):
        await asha.press(RULES, message=message)


async def test_only_keepers_and_staff_write(discord, bot, evening):
    asha, message = evening
    bikram = discord.person("bikram")
    for label in (ENTER, NAMES, RULES, CLOSE):
        answer = await bikram.press(label, message=message)
        assert answer.modal is None
        assert "Only those who keep this score" in bikram.last().text
    await asha.press(CLOSE, message=message)
    message = (await asha.slash("score new", players=PLAYERS, keeper=bikram)).message
    await enter(bikram, message, winner=["Bina"])
    assert "Bina won" in asha.look(message).text


async def test_two_keepers_do_not_write_the_same_deal_twice(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    message = (await asha.slash("score new", players=PLAYERS, keeper=bikram)).message
    await asha.press(ENTER, message=message)
    await bikram.press(ENTER, message=message)
    await asha.submit({"winner": ["Bina"]})
    await bikram.submit({"winner": ["Chandra"]})
    assert "entered something in the meantime" in bikram.look(message).text
    assert [entry.deal.winner for entry in (await rows(bot))[1]] == [1]
    await bikram.press(ENTER, message=message)
    await bikram.submit()
    assert [entry.deal.winner for entry in (await rows(bot))[1]] == [1, 2]


async def test_what_came_too_late_is_kept_although_it_is_mistyped(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    message = (await asha.slash("score new", players=PLAYERS, keeper=bikram)).message
    await bikram.press(ENTER, message=message)
    await enter(asha, message, winner=["Bina"])
    await bikram.submit({"winner": ["Chandra"], "maal": "Chandro: 7"})
    assert "Chandro: 7" in str((await bikram.press(ENTER, message=message)).modal)
    await bikram.slash("score deal", correct=1)
    await enter(asha, message, winner=["Bina"], maal="Asha: 5")
    await bikram.submit({"maal": "Asho: 8"})
    assert "Asho: 8" in str((await bikram.slash("score deal", correct=1)).modal)


async def test_a_form_open_during_a_restart_still_counts(discord, start_bot):
    running = await start_bot()
    asha = discord.person("asha")
    message = (await asha.slash("score new", players=PLAYERS)).message
    await asha.press(ENTER, message=message)
    await running.stop()
    await start_bot()
    await asha.submit({"winner": ["Bina"]})
    assert "Deal 1 · Bina won" in asha.look(message).text


async def test_an_evening_that_was_forgotten_gives_way(discord, start_bot):
    clock = MovableClock()
    await start_bot(clock=clock)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    await asha.slash("score new", players=PLAYERS)
    assert "already has a home game" in (await bikram.slash("score new", players="a, b")).message.text
    clock.forward(FORGOTTEN_MS / 1000)
    assert "a, b" in (await bikram.slash("score new", players="a, b")).message.text


async def test_the_longest_names_and_many_deals_fit(discord, bot):
    asha = discord.person("asha")
    names = [f"{'*' * 23}{number}" for number in range(6)]
    message = (await asha.slash("score new", players=",".join(names))).message
    for _ in range(10):
        cards = "10C JC QC 9Cx3"
        await enter(
            asha,
            message,
            winner=["0"],
            tiplu="JC",
            maal=f"{names[0]}: {cards}\n{names[1]}: 10C QC 10C QC 8Dx3 7Dx3",
        )
    _, entries = await rows(bot)
    assert len(entries) == 10
    assert texts()("score.after", deals=10) in asha.look(message).text


async def test_a_mistake_of_an_earlier_deal_is_corrected_in_place_and_later_deals_count_again(
    discord, bot, evening
):
    asha, message = evening
    await enter(asha, message, winner=["Asha"], special=["Chandra: dead hand (foul)"])
    await enter(asha, message, winner=["Bina"], seen=["Asha"], maal="Bina: 4")
    await enter(asha, message, winner=["Chandra"])
    before = totals(asha.look(message))

    looked = (await asha.choose(say("score.look"), ["1"], message=message)).message
    form = (await asha.press(FIX, message=looked)).modal
    assert form["title"] == "Correct deal 1"
    await asha.submit({"special": []})

    mine = asha.look(looked)
    assert "Deal 1 is corrected" in mine.text
    assert "dead hand" not in mine.text
    after = await asha.wait_for(lambda: (now := totals(asha.look(message))) != before and now)
    session, entries = await rows(bot)
    assert [entry.number for entry in entries] == [1, 2, 3]
    # Without the foul Chandra owes Bina, who won next, 15 less, and pays Asha 10 for not having seen.
    assert {name: after[name] - before[name] for name in after} == {"Asha": 10, "Bina": -15, "Chandra": 5}
    assert session.draft is None


async def test_what_comes_after_a_game_is_closed_is_not_told_to_be_kept(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    message = (await asha.slash("score new", players=PLAYERS, keeper=bikram)).message
    await bikram.press(ENTER, message=message)
    await asha.press(CLOSE, message=message)
    await bikram.submit({"winner": ["Chandra"]})
    assert "is closed" in bikram.last().text
    assert "I kept" not in bikram.last().text
    session, _ = await rows(bot)
    assert session.draft is None


async def test_what_cannot_be_is_not_told_to_be_kept_if_the_game_is_closed_meanwhile(
    discord, bot, evening, monkeypatch
):
    asha, message = evening
    await asha.press(ENTER, message=message)
    keeping = hold_before(monkeypatch, Scorekeeper, "_keep_draft")
    entering = asyncio.create_task(asha.submit({"winner": ["Asha"], "special": ["Asha: dead hand (foul)"]}))
    await keeping.reached()
    await asha.press(CLOSE, message=message)
    keeping.open()
    await entering
    refused = await asha.sees("cannot have won")
    assert "I kept" not in refused.text
    session, _ = await rows(bot)
    assert session.draft is None


async def test_a_deal_is_corrected_by_command_too_and_what_cannot_be_is_kept_for_the_next_try(
    discord, bot, evening
):
    asha, message = evening
    await enter(asha, message, winner=["Asha"], seen=["Bina"], maal="Asha: 7")
    await asha.slash("score deal", correct=1)
    await asha.submit({"maal": "Asha: 900"})
    assert "Deal 1 stays as it was" in asha.last().text
    form = (await asha.slash("score deal", correct=1)).modal
    assert "Asha: 900" in str(form)
    assert "Asha: 900" not in str((await asha.press(ENTER, message=message)).modal)

    await asha.slash("score deal", correct=1)
    answer = await asha.submit({"maal": "Asha: 9"})
    assert not answer.message.ephemeral
    assert "maal 9" in answer.message.text
    assert len((await rows(bot))[1]) == 1
    assert "There is no such deal" in (await asha.slash("score deal", correct=2)).message.text


async def test_only_keepers_correct(discord, bot, evening):
    asha, message = evening
    bikram = discord.person("bikram")
    await enter(asha, message, winner=["Asha"])
    await enter(asha, message, winner=["Bina"])
    looked = (await bikram.choose(say("score.look"), ["1"], message=message)).message
    assert not looked.buttons
    assert "Only those who keep this score" in (await bikram.slash("score deal", correct=1)).message.text
    mine = (await asha.choose(say("score.look"), ["1"], message=message)).message
    await enter(asha, message, winner=["Chandra"])
    await asha.press(FIX, message=mine)
    await asha.submit({"winner": ["Bina"]})
    assert [entry.deal.winner for entry in (await rows(bot))[1]] == [1, 1, 2]


async def test_dublees_with_too_few_players_count_and_are_pointed_out(discord, bot):
    asha = discord.person("asha")
    message = (await asha.slash("score new", players=PLAYERS, preset="wikipedia")).message
    await enter(asha, message, winner=["Asha"], special=["Bina showed seven dublees"])
    assert "Bina: with these rules seven dublees need 4 players, and 3 played" in asha.look(message).text
    assert len((await rows(bot))[1]) == 1


async def test_a_foul_that_is_still_owed_is_named_beside_the_payments(discord, bot, evening):
    asha, message = evening
    await enter(asha, message, winner=["Asha"], special=["Chandra: dead hand (foul)"])
    shown = asha.look(message).text
    assert shown.index("To settle up now") < shown.index("Chandra: a foul of 15 is still owed")
    await asha.press(CLOSE, message=message)
    assert "No deal followed, so these payments leave it out" in asha.look(message).text


async def test_old_messages_lose_their_names_and_buttons_and_lead_to_the_newest(discord, bot, evening):
    asha, first = evening
    shown = [first, *[(await asha.slash("score sheet")).message for _ in range(MOST_SCORES + 2)]]
    old, kept = shown[:3], shown[3:]
    bot.bot.delivery.amendments.wake()
    moved = texts()("score.moved", link=f"https://discord.com/channels/{discord.world.guild.id}")[:-1]
    for message in old:
        await asha.wait_for(lambda message=message: asha.look(message).text.startswith(moved))
        assert (asha.look(message).buttons, asha.look(message).files) == ([], [])
    assert str(kept[-1].id) in asha.look(first).text
    assert all("Bina" in asha.look(message).text for message in kept)

    await asha.press(NAMES, message=kept[-1])
    await asha.submit({"names": "Asha, Rita, Chandra"})
    bot.bot.delivery.amendments.wake()
    for message in kept:
        await asha.wait_for(lambda message=message: "Rita" in asha.look(message).text)
    assert [message.id for message in shown if "Bina" in asha.look(message).text] == []
    assert all(asha.look(message).text.startswith(moved) for message in old)


async def test_an_old_message_that_was_deleted_keeps_no_other_from_leading_to_the_newest(
    discord, bot, evening
):
    asha, first = evening
    second = (await asha.slash("score sheet")).message
    for _ in range(MOST_SCORES):
        await asha.slash("score sheet")
    discord.world.delete_message(second.message)
    bot.bot.delivery.amendments.wake()
    await published(bot)
    assert "Bina" not in asha.look(first).text


@pytest.mark.parametrize(
    ("status", "code", "times", "is_closed"),
    [(400, 50035, 99, False), (400, 30046, 2, True), (400, 30046, 99, False), (403, 50001, 99, False)],
)
async def test_an_old_message_whose_edit_is_refused_keeps_no_other_from_leading_to_the_newest(
    discord, start_bot, clock, watch: Watch, status: int, code: int, times: int, is_closed: bool
):
    running = await start_bot(clock=clock)
    asha = discord.person("asha")
    shown = [(await asha.slash("score new", players="Asha, Bina, Chandra")).message]
    shown += [(await asha.slash("score sheet")).message for _ in range(MOST_SCORES + 1)]
    discord.faults.fail(rf"/messages/{shown[1].id}$", method="PATCH", status=status, code=code, times=times)
    closing = shown[: 1 + is_closed]

    def are_closed_in_time() -> bool:
        running.later(clock, 60)
        return not any("Bina" in asha.look(message).text for message in closing)

    await asha.wait_for(are_closed_in_time)
    assert ("Bina" not in asha.look(shown[1]).text) == is_closed
    if code == 50035:
        watch.expect("scores.not_closed")
