"""The practice deal over the wire: played as advised, played badly, across a restart, and never counted."""

import re

from data.transaction import ReadTransaction
from tests.e2e.forging import button, forge, select
from tests.e2e.looking import facts
from tests.e2e.players import (
    CUT,
    DISCARD,
    DRAW,
    FINISH,
    SHOW,
    open_settings,
    say,
)

LEARN, AGAIN, RULES = say("button.learn"), say("button.learn_again"), say("button.rules")
ADVISED, OTHER = say("practice.advised"), say("practice.other")
CARD = re.compile("mr1:try-card:")


def advised(shown):
    """Return the recommended button, which is green."""
    (green,) = [button for button in shown.buttons if button.style == 3]
    return green


def cards(shown):
    """Return the buttons of the cards that can be discarded."""
    return [button for button in shown.buttons if CARD.match(button.custom_id)]


async def follow(person, shown):
    """Follow the advice; return the next panel, and what the advice was."""
    button = advised(shown)
    what = DISCARD if CARD.match(button.custom_id) else button.label
    return (await person.press(button.custom_id, message=shown)).message, what


async def play(person, shown, most: int = 40) -> tuple[list[str], object]:
    done = []
    while shown.button(RULES) is None:
        assert shown.ephemeral
        assert OTHER not in shown.text
        shown, what = await follow(person, shown)
        done.append(what)
        assert len(done) < most
    return done, shown


async def test_the_first_deal_is_played_as_advised_to_its_end(discord, bot):
    asha = discord.person("asha")
    start = (await asha.slash("learn")).message
    assert start.ephemeral
    assert "Your first deal" in start.text
    assert "tunnela" in start.text
    assert start.files[0].alt.startswith("Your hand, 21 cards")
    done, end = await play(asha, start)
    assert [what for what in done if not what.startswith(("Expose", "Take"))] == [
        DRAW, DISCARD, SHOW, CUT, DISCARD, DRAW, FINISH,
    ]  # fmt: skip
    assert end.id == start.id
    assert "You have won your first deal" in end.text
    assert "**Asha** **+17**" in end.text
    assert "**Guru** **−17**" in end.text
    assert "</marriage play:" in end.text

    async def read(db: ReadTransaction) -> None:
        assert await db.tables.all_open() == []
        assert await db.deals.results(1) == []
        assert await db.tables.get(1) is None

    await bot.store.read(read)
    again = (await asha.press(AGAIN, message=end)).message
    assert again.files[0].alt == start.files[0].alt


async def test_its_last_panel_leads_to_a_real_table_in_one_press(discord, bot):
    asha = discord.person("asha")
    _, end = await play(asha, (await asha.slash("learn")).message)
    table = (await asha.press(say("button.play_now"), message=end)).message
    assert not table.ephemeral
    after = await facts(bot)
    assert (after.table.status, len(after.seats)) == ("playing", 4)


async def test_wrong_moves_are_survived_and_said(discord, bot):
    asha = discord.person("asha")
    shown = (await asha.slash("learn")).message
    shown = (await asha.press(say("button.keep"), message=shown)).message
    assert OTHER in shown.text
    for _ in range(3):
        shown = (await asha.press(DRAW, message=shown)).message
        best = advised(shown)
        other = next(button for button in reversed(cards(shown)) if button.custom_id != best.custom_id)
        shown = (await asha.press(other.custom_id, message=shown)).message
        if shown.button(RULES):
            break
        assert OTHER in shown.text
        assert advised(shown)


async def test_a_card_is_one_press_or_chosen_from_a_list_by_those_who_like_that(discord, bot):
    asha = discord.person("asha")
    shown = (await asha.slash("learn")).message
    while not cards(shown):
        shown, _ = await follow(asha, shown)
    assert not shown.select(DISCARD)
    settings = await open_settings(asha, "playing")
    await asha.press(say("settings.card_list_off"), message=settings)
    shown = (await asha.slash("learn")).message
    assert not cards(shown)
    select = shown.select(DISCARD)
    (best,) = [option for option in select.options if ADVISED in option.get("description", "")]
    shown = (await asha.choose(DISCARD, [best["value"]], message=shown)).message
    assert OTHER not in shown.text
    assert shown.button(DRAW)


async def test_an_old_step_is_answered_with_the_deal_as_it_stands(discord, bot):
    asha = discord.person("asha")
    first = (await asha.slash("learn")).message
    second = (await asha.slash("learn")).message
    assert second.id != first.id
    await follow(asha, second)
    stale = (await asha.press(advised(first).custom_id, message=first)).message
    assert "belongs to an earlier step" in stale.text
    assert stale.button(DRAW)
    now, _ = await follow(asha, stale)
    assert "22 cards" in now.text


async def test_everybody_has_their_own_deal_that_outlives_a_restart(discord, start_bot):
    running = await start_bot()
    asha, bikram = discord.person("asha"), discord.person("bikram")
    shown = (await asha.slash("learn")).message
    shown, _ = await follow(asha, shown)
    shown, _ = await follow(asha, shown)
    await running.stop()
    await start_bot()
    assert "tunnela" in (await bikram.slash("learn")).message.text
    shown, what = await follow(asha, shown)
    assert what == DISCARD
    resumed = (await asha.slash("learn")).message
    assert resumed.files[0].alt == shown.files[0].alt
    _, end = await play(asha, resumed)
    assert "You have won" in end.text


async def test_it_begins_from_the_help_and_in_direct_messages(discord, bot):
    asha = discord.person("asha")
    shown = (await asha.slash("help")).message
    lesson = (await asha.press(LEARN, message=shown)).message
    assert lesson.ephemeral
    assert lesson.id != shown.id
    page = (await asha.slash("marriage rules")).message
    assert (await asha.press(LEARN, message=page)).message.files[0].alt == lesson.files[0].alt
    asha.go(asha.dm_channel)
    assert "Your first deal" in (await asha.slash("learn")).message.text


async def test_odd_presses_do_nothing(discord, bot):
    asha = discord.person("asha")
    await asha.slash("learn")
    before = await bot.store.read(lambda db: db.practice.get(asha.id))
    forged = ("try:0:1:fly", "try:0:1", "try:0:1:finish", "try:0:1:draw", "try:7:999:decline")
    for custom_id in forged:
        answer = await asha.press("Forged", message=forge(asha, button(f"mr1:{custom_id}"), private=True))
        assert answer.message.ephemeral
    for card in ("KH", "nonsense"):
        message = forge(asha, button(f"mr1:try-card:0:1:{card}"), private=True)
        assert (await asha.press("Forged", message=message)).message.ephemeral
    for card in ("KH", "nonsense", "??"):
        message = forge(asha, select("mr1:pick-try:0:1", card), private=True)
        await asha.choose("mr1:pick-try:0:1", [card], message=message)
    assert await bot.store.read(lambda db: db.practice.get(asha.id)) == before
