"""The tools under a hand besides the moves: own groups, a choice of sets, hints, resending messages."""

import asyncio
import re
from dataclasses import replace

import pytest

from bot.table.core.change import TableTransaction
from bot.words.texts import card_name, texts
from data.preferences import TableOptions
from data.transaction import ReadTransaction
from data.values import OwnArrangement
from marriage.apply import replay
from marriage.cards import Card, parse_cards
from playground.interactions import UPDATE_LATER
from playground.person import BotAnswer
from render.hand_layout import LayoutStep
from tests.e2e.forging import button, forge, press_blindly, press_late, select
from tests.e2e.looking import facts, published, turned_away
from tests.e2e.players import (
    DRAW,
    HAND,
    MORE,
    NEXT,
    SHOW,
    START,
    act,
    button_in_dm,
    discards,
    is_asked,
    is_over,
    next_panel,
    open_settings,
    open_table,
    panel_in_dm,
    play_by_buttons,
    press_in_dm,
    press_tool,
    say,
    throw,
)
from tests.e2e.test_live_panels import nothing_to_edit
from tests.gates import Gate
from tests.marriage.dealing import start_decided

GROUP, SETS, HINT, PILE, LEDGER, BACK, RETRY = (
    say(f"button.{verb}") for verb in ("group", "sets", "hint", "pile", "ledger", "back", "retry-dms")
)
PIN, UNPIN = say("hand.pin"), say("hand.unpin")
MOVE, BEFORE = say("hand.move"), say("hand.move_before")
PICK_SETS = re.compile("mr1:pick-sets:")
RICH = "2S 3S 4S 5S 7H 7H 7H 9D 10D JD 4H 6C 8C QC KC 3D 5D KS JS 9S 5C"
POOR = "2D 4D 6D 8D QD KD 2H 4H 6H 8H 10H QH 2C 4C 6C 8C 10C QC AS 6S 10S"


async def pins(bot, deal_no=1):
    return await bot.store.read(lambda db: db.pins.of_table(1, deal_no))


async def choose_forged(person, *values):
    """Choose in a select for own groups that this person was never shown."""
    custom_id = "mr1:pick-pin:1:1"
    forged = forge(person, select(custom_id, *values), private=True)
    await press_blindly(person, forged, custom_id, component_type=3, values=list(values))


async def to_draw(discord, arrange):
    """Start a deal of Asha and Bikram; return them and the table.

    Asha, who holds three pure sets and more, is to draw.
    """
    arrange(RICH, POOR, up="KD", stock="AD 2C AH 3C JC")
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await play_by_buttons(bikram, 2)
    await asha.wait_for(lambda: button_in_dm(asha, DRAW))
    return asha, bikram, table


@pytest.fixture
async def drawing(discord, bot, arrange):
    """A deal in which Asha, with three pure sets and more, is to draw."""
    asha, bikram, table = await to_draw(discord, arrange)
    await published(bot)
    return asha, bikram, table


async def test_own_groups_stay_over_turns_and_a_restart(discord, start_bot, arrange):
    first = await start_bot()
    asha, _, table = await to_draw(discord, arrange)
    panel = panel_in_dm(asha)
    before = await facts(first)
    panel = (await press_tool(asha, panel, GROUP)).message
    assert panel.select(PIN).max_values == 21
    assert not discards(panel)
    panel = (await asha.choose(PIN, ["QC#1", "KC#1", "KS#1"], message=panel)).message
    assert await pins(first) == {asha.user.id: OwnArrangement((parse_cards("QC KC KS"),))}
    assert panel.files[-1].alt.startswith(
        "Your hand, 21 cards: Yours Clubs Q K Spades K; Spades 2 3 4 5 9 J; "
    )
    panel = (await asha.choose(PIN, ["KS#1", "JS#1"], message=panel)).message
    assert (await pins(first))[asha.user.id] == OwnArrangement((parse_cards("QC KC"), parse_cards("KS JS")))
    assert panel.select(UNPIN).labels == ["Q♣ K♣", "K♠ J♠"]
    assert await facts(first) == before
    await published(first)
    assert asha.look(panel).select(PIN)
    await first.stop()

    second = await start_bot()
    panel = (await asha.press(BACK, message=panel)).message
    assert "Yours Clubs Q K; Yours Spades K J" in panel.files[-1].alt
    assert (await asha.press(HAND, message=table)).message.files[-1].alt == panel.files[-1].alt
    panel = (await asha.press(DRAW, message=panel)).message
    panel = await throw(asha, panel, "KC")
    assert "Yours Spades K J" in panel.files[-1].alt
    assert "Yours Clubs" not in panel.files[-1].alt
    panel = (await press_tool(asha, panel, GROUP)).message
    assert panel.select(UNPIN).labels == ["K♠ J♠"]
    panel = (await asha.choose(UNPIN, ["0"], message=panel)).message
    assert not panel.select(UNPIN)
    assert "Yours" not in panel.files[-1].alt
    assert await pins(second) == {}


def laid(panel) -> str:
    """Return the hand as its alt text describes it."""
    return panel.files[-1].alt.partition(": ")[2].partition(". ")[0]


async def test_the_own_order_stays_over_turns_and_a_restart_until_the_hand_is_sorted(
    discord, start_bot, arrange
):
    first = await start_bot()
    asha, _, table = await to_draw(discord, arrange)
    panel = (await press_tool(asha, panel_in_dm(asha), GROUP)).message
    before = await facts(first)
    panel = (await asha.choose(MOVE, ["9S#1"], message=panel)).message
    assert [panel.button(say(f"button.place_{step}")).disabled for step in LayoutStep] == [False] * 4
    panel = (await asha.press(say("button.place_left"), message=panel)).message
    assert laid(panel).startswith("Spades 2 3 4 9 5 J K; ")
    panel = (await asha.press(say("button.place_last"), message=panel)).message
    assert "card 21 of 21" in panel.text
    assert [panel.button(say(f"button.place_{step}")).disabled for step in LayoutStep] == [
        False,
        False,
        True,
        True,
    ]
    panel = (await asha.choose(BEFORE, ["3S#1"], message=panel)).message
    assert laid(panel).startswith("Spades 2 9 3 4 5 J K; ")
    panel = (await asha.choose(say("hand.move_another"), ["KS#1"], message=panel)).message
    panel = (await asha.press(say("button.place_right"), message=panel)).message
    wanted = laid(panel)
    assert wanted.startswith("Spades 2 9 3 4 5 J; Spades K Hearts ")
    assert await facts(first) == before
    await published(first)
    await first.stop()

    second = await start_bot()
    panel = (await asha.press(say("button.arranged"), message=panel)).message
    assert laid(panel) == wanted
    assert (await asha.press(HAND, message=table)).message.files[0].alt == panel.files[0].alt
    panel = (await asha.press(DRAW, message=panel)).message
    panel = await throw(asha, panel, "9S")
    assert laid(panel) == wanted.replace("2 9 3", "2 3") + "; Clubs 2"
    panel = (await asha.press(say("button.sort"), message=panel)).message
    assert "Spades K Hearts" not in laid(panel)
    assert await pins(second) == {}


async def test_a_move_of_a_card_that_is_not_there_changes_nothing(discord, bot, drawing):
    asha, _, _ = drawing
    await press_tool(asha, panel_in_dm(asha), GROUP)
    panel = (await asha.choose(MOVE, ["9S#1"], message=panel_in_dm(asha))).message
    alt = panel.files[0].alt
    for argument in ("left-AC-1", "left-9S-2", "left-9S-0"):
        forged = forge(asha, button(f"mr1:place:1:1:{argument}"), private=True)
        await press_blindly(asha, forged, f"mr1:place:1:1:{argument}")
    for argument in ("up-9S-1", "left-9S", "left"):
        forged = forge(asha, button(f"mr1:place:1:1:{argument}"), private=True)
        await press_blindly(asha, forged, f"mr1:place:1:1:{argument}")
    assert panel_in_dm(asha).files[0].alt == alt
    assert await pins(bot) == {}


async def test_while_the_table_is_busy_a_change_of_groups_is_acknowledged(discord, bot, drawing, monkeypatch):
    asha, _, _ = drawing
    panel = (await press_tool(asha, panel_in_dm(asha), GROUP)).message
    monkeypatch.setattr("bot.interactions.reply.PATIENCE_S", 0.0)
    for placeholder, values, kept in (
        (PIN, ["2S#1", "7H#1"], {asha.user.id: OwnArrangement((parse_cards("2S 7H"),))}),
        (UNPIN, ["0"], {}),
    ):
        async with bot.bot.services.tables.lock(1):
            answer = await asha.choose(placeholder, values, message=panel, wait=False)
            assert answer.type == UPDATE_LATER
        await asha.wait_for(lambda answer=answer: answer.complete)
        assert await pins(bot) == kept


async def test_groups_are_the_holders_own(discord, bot, drawing):
    asha, bikram, _ = drawing
    await press_tool(asha, panel_in_dm(asha), GROUP)
    await asha.choose(PIN, ["2S#1", "7H#1"], message=panel_in_dm(asha))
    chandra = discord.person("chandra")
    await choose_forged(chandra, "2S#1", "3S#1")
    assert "You have no seat at table 1" in chandra.last().text
    await choose_forged(bikram, "7H#1", "no card#1")
    assert "no card" in bikram.last().text
    await choose_forged(bikram, "7H#1", "7H#2")
    assert await pins(bot) == {asha.user.id: OwnArrangement((parse_cards("2S 7H"),))}


def values_of(panel, *labels):
    """Return the values of these options in the select of sets."""
    return [option["value"] for option in panel.select(PICK_SETS).options if option["label"] in labels]


async def test_the_sets_of_a_show_can_be_chosen_one_after_the_other(discord, bot, drawing):
    asha, _, _ = drawing
    panel = (await press_in_dm(asha, DRAW)).message
    assert panel.button(SHOW)
    assert "It would lay down" in panel.text
    panel = (await press_tool(asha, panel, SETS)).message
    offered = panel.select(PICK_SETS)
    assert (offered.min_values, offered.max_values) == (1, 1)
    assert {"2♠ 3♠ 4♠", "3♠ 4♠ 5♠", "7♥ 7♥ 7♥", "9♦ 10♦ J♦"} <= set(offered.labels)
    panel = (await asha.choose(PICK_SETS, values_of(panel, "3♠ 4♠ 5♠"), message=panel)).message
    assert "2♠ 3♠ 4♠" not in panel.select(PICK_SETS).labels, "it shares cards with the chosen set"
    panel = (await asha.choose(PICK_SETS, values_of(panel, "7♥ 7♥ 7♥"), message=panel)).message
    panel = (await asha.choose(PICK_SETS, values_of(panel, "9♦ 10♦ J♦"), message=panel)).message
    assert panel.button(say("button.cut"))
    showed = (await bot.store.read(lambda db: db.deals.events(1, 1)))[-1]
    assert set(showed.groups) == {parse_cards("3S 4S 5S"), parse_cards("7H 7H 7H"), parse_cards("9D 10D JD")}


async def test_one_chosen_set_can_be_completed_to_the_best_show(discord, bot, drawing):
    asha, _, _ = drawing
    panel = (await press_in_dm(asha, DRAW)).message
    panel = (await press_tool(asha, panel, SETS)).message
    panel = (await asha.choose(PICK_SETS, values_of(panel, "3♠ 4♠ 5♠"), message=panel)).message
    panel = (await asha.press(say("button.show_these"), message=panel)).message
    assert panel.button(say("button.cut"))
    showed = (await bot.store.read(lambda db: db.deals.events(1, 1)))[-1]
    assert parse_cards("3S 4S 5S") in showed.groups


class Thread:
    """A stand-in for the thread that searches for the best show; work waits until the test releases it."""

    def __init__(self, bot) -> None:
        self.gate = Gate()
        self.begun: list[str] = []
        self.locked: list[bool] = []
        self._locks = bot.bot.services.tables._locks

    async def to_thread(self, work, *args):
        lock = self._locks.get(1)
        self.begun.append(work.__name__)
        self.locked.append(lock is not None and lock.locked())
        await self.gate.passed()
        return await asyncio.to_thread(work, *args)


@pytest.fixture
def thread(bot, monkeypatch):
    thread = Thread(bot)
    monkeypatch.setattr("bot.interactions.choices.asyncio", thread)
    return thread


async def test_the_best_show_is_looked_for_beside_the_loop_and_the_tables_lock(discord, bot, drawing, thread):
    thread.gate.open()
    asha, bikram, _ = drawing
    panel = (await press_in_dm(asha, DRAW)).message
    await asha.press(SHOW, message=panel)
    told = (await bikram.slash("marriage show")).message
    assert "not your turn" in told.text
    assert (await bot.store.read(lambda db: db.deals.events(1, 1)))[-1].event == "showed"
    assert thread.begun == ["show_groups", "show_any"]
    assert thread.locked == [False, False]


@pytest.mark.parametrize("typed", [False, True])
async def test_a_show_of_a_hand_that_has_changed_meanwhile_is_none(
    discord, bot, drawing, thread, typed, monkeypatch
):
    asha, _, table = drawing
    panel = (await press_in_dm(asha, DRAW)).message
    other = (await asha.press(HAND, message=table)).message
    monkeypatch.setattr("bot.interactions.reply.PATIENCE_S", 0.0)
    if typed:
        late = await asha.slash("marriage show", wait=False)
    else:
        late = await asha.press(SHOW, message=panel, wait=False)
    await thread.gate.reached()
    await throw(asha, other, "KC")
    before = await facts(bot)
    thread.gate.open()
    await asha.wait_for(lambda: late.complete)
    assert say("hand.stale") in late.message.text
    assert await facts(bot) == before


async def test_a_choice_of_sets_that_came_too_late_is_no_show(discord, bot, drawing):
    asha, _, table = drawing
    panel = (await press_in_dm(asha, DRAW)).message
    panel = (await press_tool(asha, panel, SETS)).message
    offered, before = panel.select(PICK_SETS), panel.message.components
    other = (await asha.press(HAND, message=table)).message
    await throw(asha, other, "KC")
    values = [option["value"] for option in offered.options][:1]
    late = await press_late(asha, panel, offered.custom_id, before, component_type=3, values=values)
    assert "I did nothing" in BotAnswer(asha, late).message.text

    async def read(db: ReadTransaction) -> None:
        assert not any(type(event).__name__ == "Showed" for event in await db.deals.events(1, 1))

    await bot.store.read(read)


async def stood_in(running, stand_in) -> None:
    """Have a computer play for Bikram: the "whole" deal, which is then not rated, or "part" of it."""

    async def amend(tx: TableTransaction) -> None:
        tx.set_seat(replace(tx.seats[1], stand_in=stand_in))

    await running.bot.services.tables.amend(1, amend)


async def test_hints_come_to_the_holder_alone(discord, bot, drawing):
    asha, bikram, table = drawing
    await stood_in(bot, "whole")
    mine = (await asha.press(BACK, message=(await press_tool(asha, panel_in_dm(asha), PILE)).message)).message
    before = await facts(bot)
    hint = (await press_tool(asha, mine, HINT)).message
    assert hint.id == mine.id
    assert "Take 10♠" in hint.text
    assert "you have everything for a show" in hint.text
    assert hint.button(DRAW), "the hand is still there"
    waiting = (await bikram.press(HAND, message=table)).message
    other = (await press_tool(bikram, waiting, HINT)).message
    assert "It is not your turn" in other.text
    assert await facts(bot) == before
    panel = (await asha.press(DRAW, message=mine)).message
    assert "Take 10♠" not in panel.text
    hint = (await press_tool(asha, panel, HINT)).message
    assert "Show" in hint.text
    assert not bikram.find("Show three sets now")
    chandra = discord.person("chandra")
    await press_blindly(chandra, forge(chandra, button("mr1:hint:1:1"), private=True), "mr1:hint:1:1")
    assert "You have no seat at table 1" in chandra.last().text


@pytest.mark.parametrize("options", [TableOptions(hints=False), TableOptions(league=True)])
async def test_a_table_without_hints_and_one_of_a_league_give_none(discord, bot, drawing, options):
    asha, _, _ = drawing
    await stood_in(bot, "whole")

    async def amend(tx: TableTransaction) -> None:
        tx.update(options=options)

    await bot.bot.services.tables.amend(1, amend)
    panel = (await asha.press(MORE, message=panel_in_dm(asha))).message
    assert not panel.button(HINT)
    await press_blindly(asha, forge(asha, button("mr1:hint:1:1"), private=True), "mr1:hint:1:1")
    assert "without hints" in asha.last().text


@pytest.mark.parametrize("stand_in", [None, "part"])
async def test_a_deal_that_ratings_count_gives_no_hints(discord, bot, drawing, stand_in):
    asha, _, _ = drawing
    await stood_in(bot, stand_in)
    panel = (await asha.press(MORE, message=panel_in_dm(asha))).message
    assert not panel.button(HINT)
    await press_blindly(asha, forge(asha, button("mr1:hint:1:1"), private=True), "mr1:hint:1:1")
    assert "counts for the ratings" in asha.last().text


async def test_the_panel_of_an_old_turn_says_so_and_gives_the_new_one(discord, bot, drawing):
    asha, _, table = drawing
    old = (await asha.press(HAND, message=table)).message
    drawn = (await press_in_dm(asha, DRAW)).message
    again = (await asha.press(DRAW, message=old)).message
    assert again.id == old.id
    assert "I did nothing" in again.text
    assert discards(again) == discards(drawn)


async def test_opened_messages_can_be_tried_again(discord, bot, arrange):
    arrange(RICH, POOR, up="KD", stock="AD 2C AH 3C JC")
    asha, bikram = discord.person("asha"), discord.person("bikram")
    asha.close_dms()
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await turned_away(asha)
    await published(bot)
    panel = (await asha.press(HAND, message=table)).message
    assert "Privacy Settings" in panel.text
    asha.close_dms(closed=False)
    panel = (await asha.press(RETRY, message=panel)).message
    assert not panel.button(RETRY)
    assert "closed" not in panel.text
    await asha.wait_for(lambda: panel_in_dm(asha))


async def test_a_message_left_behind_by_a_quick_next_deal_has_nothing_to_press(discord, bot, quick):
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await play_by_buttons(asha)
    await published(bot)

    async def amend(tx: TableTransaction) -> None:
        seat, shown = tx.seats[tx.seat_of(asha.user.id)], panel_in_dm(asha)
        tx.set_seat(replace(seat, dm_channel_id=asha.dm_channel.id, dm_message_id=shown.id))

    await bot.bot.services.tables.amend(1, amend)
    old = panel_in_dm(asha)
    await asha.press(NEXT, message=await asha.sees("won deal 1"))
    await asha.wait_for(lambda: len(asha.dm()) == 2)
    await asha.wait_for(lambda: "no longer shown" in asha.look(old).text)
    assert not asha.look(old).buttons
    assert is_asked(await next_panel(asha))


async def test_the_whole_pile_is_shown_to_who_plays_and_to_nobody_else(discord, bot, drawing):
    asha, _, _ = drawing
    before, mine = await facts(bot), panel_in_dm(asha)
    shown = (await press_tool(asha, mine, PILE)).message
    assert shown.id == mine.id
    pile = replay(await bot.store.read(lambda db: db.deals.events(1, 1))).pile
    assert f"{len(pile)} card" in shown.text
    assert all(card_name(card, texts()) in shown.text for card in pile)
    assert await facts(bot) == before
    chandra = discord.person("chandra")
    await press_blindly(chandra, forge(chandra, button("mr1:pile:1:1"), private=True), "mr1:pile:1:1")
    assert "You have no seat at table 1" in chandra.last().text


async def test_one_press_lays_the_cards_as_the_best_sets_and_another_by_suit(discord, bot, drawing):
    asha, _, _ = drawing
    panel = (await press_in_dm(asha, DRAW)).message
    everything = sorted(discards(panel))
    panel = (await asha.press(say("button.sort"), message=panel)).message
    assert panel.files[-1].alt.startswith("Your hand, 22 cards: Pure sequence Spades 2 3 4;")
    assert panel.button(say("button.sort")) is None
    assert "7H" not in discards(panel), "it is behind the button of the other cards"
    panel = (await press_tool(asha, panel, say("button.unsort"))).message
    assert panel.files[-1].alt.startswith("Your hand, 22 cards: Spades 2 3 4 5 9 J K;")
    assert sorted(discards(panel)) == everything


@pytest.mark.parametrize("by_list", [False, True])
async def test_who_wants_to_is_asked_before_a_discard(discord, bot, drawing, by_list):
    asha, _, _ = drawing
    settings = await open_settings(asha, "playing")
    settings = (await asha.press(say("settings.confirm_discard_off"), message=settings)).message
    if by_list:
        await asha.press(say("settings.card_list_off"), message=settings)
    panel = (await press_in_dm(asha, DRAW)).message

    async def choose(card):
        if by_list:
            return (await asha.choose(re.compile("mr1:pick-ask-discard:"), [card], message=panel)).message
        return (await asha.press(re.compile(f"mr1:ask-discard:.*:{card}$"), message=panel)).message

    before = await facts(bot)
    asked = await choose("KC")
    assert [button.label for button in asked.buttons] == ["Discard K♣", BACK]
    back = (await asha.press(BACK, message=asked)).message
    assert not back.button("Discard K♣")
    assert await facts(bot) == before
    await asha.press("Discard Q♣", message=await choose("QC"))
    assert replay(await bot.store.read(lambda db: db.deals.events(1, 1))).pile[-1] == Card.parse("QC")


async def hand_of(person, table, where):
    """Return a person's hand: the one in direct messages, or the one opened in the channel by **My hand**."""
    await person.wait_for(lambda: panel_in_dm(person))
    return panel_in_dm(person) if where == "dm" else (await person.press(HAND, message=table)).message


@pytest.fixture
async def living(start_bot):
    """The bot with live panels."""
    return await start_bot(answer_edits_m=13, watching_edit_ms=1, seen_hand_s=120)


@pytest.fixture
async def decided(discord, living, monkeypatch):
    """A deal that Asha wins within a few turns; Bikram draws first."""
    monkeypatch.setattr("bot.table.flow.seating.start", start_decided)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await next_panel(bikram)
    return asha, bikram, table


@pytest.mark.parametrize("where", ["dm", "channel"])
async def test_a_deal_with_hints_and_looks_puts_no_message_below_the_hand(living, decided, where):
    asha, bikram, table = decided
    await stood_in(living, "whole")
    mine = await hand_of(asha, table, where)
    channel = asha.dm_channel if where == "dm" else None

    def below():
        return [message for message in asha.messages(channel) if message.id > mine.id]

    async def turn_comes():
        return await asha.wait_for(
            lambda: (seen := asha.look(mine)) and (is_asked(seen) or is_over(seen)) and seen
        )

    looked = [(await press_tool(asha, mine, PILE)).message]
    await play_by_buttons(bikram, 2)
    panel, hints = await turn_comes(), []
    assert "### The pile" not in panel.text, "the hand comes back with the turn"
    looked.append((await press_tool(asha, panel, PILE)).message)
    assert all("### The pile" in pile.text for pile in looked)
    panel = (await asha.press(BACK, message=looked[-1])).message
    while not is_over(panel):
        if len(hints) < 3:
            panel = (await press_tool(asha, panel, HINT)).message
            hints += [line for line in panel.text.splitlines() if line.startswith("💡")]
        panel = (await act(asha, panel)).panel
        assert "💡" not in panel.text, "what was advised before is not advised any more"
        if not is_over(panel) and not is_asked(panel):
            await play_by_buttons(bikram, 2)
            panel = await turn_comes()
    assert len(set(hints)) == 3
    ledger = (await asha.press(LEDGER, message=mine)).message
    assert "### Ledger" in ledger.text
    assert {shown.id for shown in (*looked, ledger)} == {mine.id}
    assert below() == []
    await press_in_dm(bikram, NEXT)
    await asha.press(NEXT, message=(await asha.press(BACK, message=ledger)).message)
    await nothing_to_edit(living)
    assert "💡" not in asha.look(mine).text
    assert below() == []


async def test_the_hand_comes_back_with_the_turn_and_not_before(living, decided):
    asha, bikram, table = decided
    mine = (await asha.press(HAND, message=table)).message
    await press_tool(asha, mine, PILE)
    drawn = (await press_in_dm(bikram, DRAW)).message
    await nothing_to_edit(living)
    assert "### The pile" in asha.look(mine).text
    await throw(bikram, drawn, discards(drawn)[0])
    await asha.wait_for(lambda: asha.look(mine).button(DRAW))
    assert "### The pile" not in asha.look(mine).text


@pytest.mark.parametrize("where", ["dm", "channel"])
async def test_the_ledger_of_a_hand_gives_way_to_the_next_deal(discord, living, quick, where):
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await play_by_buttons(asha)
    await published(living)
    mine = panel_in_dm(asha) if where == "dm" else (await asha.press(HAND, message=table)).message
    ledger = (await asha.press(LEDGER, message=mine)).message
    assert (ledger.id, ledger.button(NEXT)) == (mine.id, None)
    await asha.wait_for(lambda: asha.look(table).button(NEXT))
    await asha.press(NEXT, message=table)
    await asha.wait_for(lambda: is_asked(asha.look(mine)))
    assert "### Ledger" not in asha.look(mine).text


async def test_who_was_dealt_two_tunnelas_may_keep_them_hidden(discord, bot, arrange):
    two = "7H 7H 7H 9D 9D 9D 2S 4S 6S 8S 10S QS 3C 5C 8C JC KC 4D 6D JD KD"
    arrange(two, POOR)
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    panel = await asha.wait_for(lambda: panel_in_dm(asha))
    exposing = [each for each in panel.buttons if each.custom_id.startswith("mr1:expose:")]
    assert len(exposing) == 3  # each of them, and both
    await asha.press(say("button.keep"), message=panel)
    await asha.wait_for(lambda: "may expose" not in panel_in_dm(asha).text)
    assert all(seat.exposed == () for seat in (await bot.bot.services.tables.snapshot(1)).public.seats)
