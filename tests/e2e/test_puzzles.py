"""Puzzles over the wire: asked in private, and the first answer counts.

The day's puzzle is the same for everyone, and is shared without cards.
"""

import asyncio
import re

from bot.interactions.reply import Reply
from bot.panels.puzzles import nameless
from bot.puzzles.asking import Puzzles
from bot.words.texts import Languages, card_name, texts
from data.repositories.learning import PuzzleRow
from data.transaction import ReadTransaction
from marriage.puzzles import view_of
from marriage.view import View
from playground.shown import Shown
from render.alt import hand_alt
from render.hand_layout import PLAIN
from render.seat_picture import draw_seat
from render.style import DEFAULT
from tests.e2e.forging import button, forge, press_blindly
from tests.e2e.running import Running
from tests.e2e.test_faults import one_acknowledged
from tests.gates import busy, fail, hold_before

say = texts()
CARD = re.compile("(?:10|[2-9AJQK])[♠♥♦♣]")
NEXT, SHARE = say("puzzle.next"), say("puzzle.share")


async def asked(running: Running, panel: Shown) -> PuzzleRow:
    """Return the puzzle that a panel shows."""
    (number,) = {int(one.custom_id.split(":")[2]) for one in panel.buttons}
    row = await running.store.read(lambda db: db.puzzles.get(number))
    assert row is not None
    return row


async def test_a_puzzle_is_asked_answered_once_and_explained(discord, start_bot):
    running = await start_bot()
    asha, bikram = discord.person("asha"), discord.person("bikram")
    panel = (await asha.slash("puzzle")).message
    assert panel.ephemeral
    row = await asked(running, panel)
    view = view_of(row.position, row.seat)
    table = draw_seat(view, tuple(nameless(view)), DEFAULT, large=False)
    alts = [table.alt, hand_alt(view, PLAIN)]  # no set of the hand is shown
    assert [file.alt for file in panel.files] == alts
    options = panel.buttons
    assert len(options) == len(row.puzzle.options)
    wrong = next(one for index, one in enumerate(options) if index != row.puzzle.best)

    told = (await asha.press(wrong.custom_id, message=panel)).message
    assert told.id == panel.id
    assert "is not it" in told.text
    assert "Your puzzle rating" in told.text

    async def work(db: ReadTransaction):
        player = await db.puzzles.player(asha.id)
        counted = await db.puzzles.get(row.id)
        return player, counted

    player, counted = await running.store.read(work)
    assert (player.answers, player.correct, counted.answers) == (1, 0, 1)

    # The old buttons again, as on another device, and now the right one.
    said = told.text
    await press_blindly(asha, panel, options[row.puzzle.best].custom_id)
    assert asha.look(panel).text == said

    async def read(db: ReadTransaction) -> None:
        assert await db.puzzles.player(asha.id) == player
        assert await db.puzzles.get(row.id) == counted
        assert await db.puzzles.player(bikram.id) is None

    await running.store.read(read)

    following = (await asha.press(NEXT, message=told)).message
    assert (await asked(running, following)).id != row.id


async def test_answers_that_nobody_was_asked_for_are_refused(discord, start_bot):
    running = await start_bot()
    asha, bikram = discord.person("asha"), discord.person("bikram")
    row = await asked(running, (await asha.slash("puzzle")).message)
    for person, press in (
        (bikram, f"mr1:puzzle-answer:{row.id}:0"),
        (bikram, f"mr1:puzzle-answer:{row.id}:99"),
        (bikram, "mr1:puzzle-answer:999999:0"),
        (bikram, f"mr1:puzzle-share:{row.id}:0"),
        (asha, f"mr1:puzzle-answer:{row.id}:99"),
        (asha, f"mr1:puzzle-share:{row.id}:0"),
    ):
        await press_blindly(person, forge(person, button(press)), press)
        (told,) = [message for message in person.messages() if message.ephemeral][-1:]
        assert "no longer open" in told.text or "out of date" in told.text

    async def read(db: ReadTransaction) -> None:
        assert await db.puzzles.answer_of(row.id, bikram.id) is None
        assert await db.puzzles.answer_of(row.id, asha.id) is None
        assert await db.puzzles.get(row.id) == row

    await running.store.read(read)


async def test_the_puzzle_of_the_day_is_the_same_for_all_and_shared_without_its_cards(
    discord, start_bot, monkeypatch, watch
):
    running = await start_bot()
    asha, bikram = discord.person("asha"), discord.person("bikram")
    first = (await asha.slash("puzzle", day=True)).message
    second = (await bikram.slash("puzzle", day=True)).message
    assert first.text == second.text
    assert first.files[0].alt == second.files[0].alt
    row = await asked(running, first)
    assert row.day is not None

    right = first.buttons[row.puzzle.best]
    told = (await asha.press(right.custom_id, message=first)).message
    assert "Right" in told.text
    before = {message.id for message in bikram.messages()}
    with monkeypatch.context() as patch:  # a try that fails does not use it up
        patch.setattr(Languages, "of_server", busy)
        await asha.press(SHARE, message=told)
        await asha.sees(say("error.busy"))
    with monkeypatch.context() as patch:
        patch.setattr(Reply, "show", fail)
        await asha.press(SHARE, message=told)
        await asha.sees("nothing was lost")
    watch.expect("interaction.failed")
    await asha.press(SHARE, message=told)
    (shared,) = [message for message in bikram.messages() if message.id not in before]
    assert "asha" in shared.text.lower()
    assert row.day in shared.text
    seen = {card for option in row.puzzle.options for group in option.sets for card in group}
    seen |= {option.card for option in row.puzzle.options if option.card is not None}
    assert not any(card_name(card, say) in shared.text for card in seen)
    assert not shared.files

    await asha.press(SHARE, message=told)
    assert "already" in asha.last().text
    assert len([message for message in bikram.messages() if message.id not in before]) == 1
    assert await running.store.read(lambda db: db.puzzles.days_answered(asha.id)) == {row.day}


async def test_a_share_for_which_the_store_takes_long_is_acknowledged_and_posted(
    discord, start_bot, monkeypatch
):
    running, asha = await start_bot(), discord.person("asha")
    first = (await asha.slash("puzzle", day=True)).message
    row = await asked(running, first)
    told = (await asha.press(first.buttons[row.puzzle.best].custom_id, message=first)).message
    monkeypatch.setattr("bot.interactions.reply.PATIENCE_S", 0.0)
    storing = hold_before(monkeypatch, Puzzles, "share")
    sharing = asyncio.create_task(asha.press(SHARE, message=told))
    await storing.reached()
    await asha.wait_for(lambda: one_acknowledged(discord))
    storing.open()
    answer = await sharing
    assert (answer.type, row.day in answer.message.text) == (5, True)


async def test_a_puzzle_tells_no_card_that_its_seat_did_not_know(discord, start_bot):
    """Every card that is written anywhere, before and after the answer, lies in the hand, open, or on the pile."""
    running = await start_bot()
    asha = discord.person("asha")
    panel = (await asha.slash("puzzle")).message
    kinds = set[str]()
    for _ in range(8):
        row = await asked(running, panel)
        kinds.add(row.puzzle.kind)
        view = view_of(row.position, row.seat)
        known = known_cards(view)
        before = panel.text
        told = (await asha.press(panel.buttons[0].custom_id, message=panel)).message
        for words in (before, told.text, *(file.alt or "" for file in told.files)):
            written = set(CARD.findall(words))
            assert written <= known, written - known
        assert "computers" not in told.text  # nor where it comes from
        panel = (await asha.press(NEXT, message=told)).message
    assert len(kinds) > 1


def known_cards(view: View) -> set[str]:
    """Return the names of all cards in a view."""
    open_cards = [card for seat in view.seats for group in seat.laid for card in group]
    exposed = [face for seat in view.seats for face in seat.exposed]
    tiplu = [] if view.tiplu is None else [view.tiplu]
    cards = (*(view.own.cards or ()), *view.pile, *open_cards, *exposed, *tiplu)
    return {card_name(card, say) for card in cards}


async def test_puzzles_are_asked_in_direct_messages_and_in_nepali(discord, start_bot):
    await start_bot()
    asha = discord.person("asha")
    settings = (await asha.slash("settings")).message
    await asha.choose(settings.selects[-1].custom_id, ["ne"], message=settings)
    panel = (await asha.slash("puzzle", channel=asha.dm_channel)).message
    assert "पहेली" in panel.text
