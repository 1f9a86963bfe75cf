"""A person's own settings over the wire: they apply everywhere, and survive a restart."""

import re

import pytest

from data.preferences import PersonSettings
from tests.e2e.forging import press_blindly
from tests.e2e.looking import published
from tests.e2e.players import (
    DRAW,
    HAND,
    NEXT,
    START,
    act,
    action_rows,
    button_in_dm,
    discards,
    is_asked,
    is_over,
    open_settings,
    open_table,
    panel_in_dm,
    play_by_buttons,
    press_tool,
    say,
    turn_settings,
)

SETTINGS = say("button.settings")
GROUPING, DECK, THEME, LANGUAGE = (
    say(f"settings.{name}") for name in ("grouping", "deck", "theme", "language")
)
WORDS_OFF, WORDS_ON = say("settings.words_off"), say("settings.words_on")
LIST_OFF, LIST_ON = say("settings.card_list_off"), say("settings.card_list_on")
LARGE_OFF, LARGE_ON = say("settings.large_off"), say("settings.large_on")
DMS_ON, DMS_OFF = say("settings.hands_by_dm_on"), say("settings.hands_by_dm_off")
PING_ON, PING_OFF = say("settings.turn_ping_on"), say("settings.turn_ping_off")
PING_DM_ON, PING_DM_OFF = say("settings.turn_ping_by_dm_on"), say("settings.turn_ping_by_dm_off")
REMINDERS_ON, REMINDERS_OFF = say("settings.reminders_on"), say("settings.reminders_off")
DAY_ON, DAY_OFF = say("settings.daily_reminders_on"), say("settings.daily_reminders_off")
CONFIRM_ON, CONFIRM_OFF = say("settings.confirm_discard_on"), say("settings.confirm_discard_off")
LISTED_ON, LISTED_OFF = say("settings.listed_on"), say("settings.listed_off")
PUZZLES_OFF, PUZZLES_ON = say("settings.puzzles_off"), say("settings.puzzles_on")


CHOICES = {
    "cards": ((GROUPING, "suit", "best"), (DECK, "four", "two"), (THEME, "light", "dark")),
    "playing": ((say("settings.tunnelas"), "ask", "never"),),
    "messages": (),
    "time": ((say("settings.zone"), "auto", "Asia/Tokyo"), (say("settings.hours"), "auto", "evenings")),
    "general": ((LANGUAGE, "auto", "en"),),
}
"""For each page: every select, its initial choice, and the next one."""
SWITCHED = {
    "cards": ((LARGE_OFF, LARGE_ON), (WORDS_OFF, WORDS_ON)),
    "playing": ((LIST_OFF, LIST_ON), (CONFIRM_OFF, CONFIRM_ON)),
    "messages": (
        (DMS_ON, DMS_OFF),
        (REMINDERS_ON, REMINDERS_OFF),
        (PING_ON, PING_OFF),
        (PING_DM_OFF, PING_DM_ON),
        (DAY_OFF, DAY_ON),
    ),
    "time": (),
    "general": ((LISTED_ON, LISTED_OFF), (PUZZLES_OFF, PUZZLES_ON)),
}


async def settings_of(bot, person):
    return (await bot.store.read(lambda db: db.people.get(person.user.id))).settings


@pytest.fixture
async def playing(discord, bot, dull):
    """A deal in which Asha is to draw and Bikram waits."""
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await play_by_buttons(bikram, 2)
    await asha.wait_for(lambda: button_in_dm(asha, DRAW))
    await published(bot)
    return asha, bikram, table


async def test_choices_are_kept_and_the_panel_shows_them(discord, bot):
    asha = discord.person("asha")
    panel = (await asha.slash("settings")).message
    assert panel.ephemeral
    for subject, selects in CHOICES.items():
        panel = await turn_settings(asha, panel, subject)
        for placeholder, before, value in selects:
            assert panel.select(placeholder).chosen == [before]
            answer = await asha.choose(placeholder, [value], message=panel)
            assert answer.type == 7
            panel = answer.message
            assert panel.select(placeholder).chosen == [value]
        for label, now in SWITCHED[subject]:
            panel = (await asha.press(label, message=panel)).message
            assert panel.button(now)
        assert action_rows(panel) <= 5
    chosen = PersonSettings(
        language="en",
        grouping="best",
        suits="two",
        theme="dark",
        large=True,
        words=True,
        card_list=True,
        confirm_discard=True,
        hands_by_dm=False,
        turn_ping=False,
        turn_ping_by_dm=True,
        reminders=False,
        daily_reminders=True,
        listed=False,
        puzzles=True,
        tunnelas="never",
        timezone="Asia/Tokyo",
        play_hours="evenings",
    )
    assert await settings_of(bot, asha) == chosen
    panel = await turn_settings(asha, panel, "general")
    panel = (await asha.choose(LANGUAGE, ["auto"], message=panel)).message
    assert (await settings_of(bot, asha)).language is None
    for subject, switches in SWITCHED.items():
        again = await open_settings(asha, subject)
        assert [button.label for button in again.buttons] == [now for _, now in switches]


async def test_settings_stay_over_a_restart(discord, start_bot):
    first = await start_bot()
    asha = discord.person("asha")
    panel = await open_settings(asha, "cards")
    await asha.choose(GROUPING, ["rank"], message=panel)
    await asha.press(WORDS_OFF, message=panel)
    await first.stop()
    second = await start_bot()
    assert await settings_of(second, asha) == PersonSettings(grouping="rank", words=True)
    again = await asha.press(LARGE_OFF, message=panel)
    assert again.message.button(LARGE_ON)
    assert await settings_of(second, asha) == PersonSettings(grouping="rank", words=True, large=True)


async def test_the_hand_by_message_follows_at_once(discord, bot, playing):
    asha, _, _ = playing
    before = panel_in_dm(asha)
    pictures = before.files
    assert len(pictures) == 2  # the table, and the hand below it
    mine = (await press_tool(asha, before, SETTINGS)).message
    assert mine.ephemeral
    mine = await turn_settings(asha, mine, "cards")
    await asha.choose(GROUPING, ["best"], message=mine)
    after = await asha.wait_for(lambda: (p := asha.look(before)).files != pictures and p)
    assert "Begun" in after.files[-1].alt
    assert "Begun" not in pictures[-1].alt
    fresh = (await asha.press(HAND, message=playing[2])).message
    assert [file.alt for file in fresh.files] == [file.alt for file in after.files]
    await asha.press(DRAW, message=after)


async def test_cards_in_words_have_no_picture_and_all_controls(discord, bot, playing):
    asha, _, table = playing
    drawn = (await asha.press(HAND, message=table)).message
    labels = [button.label for button in drawn.buttons]
    await asha.press(WORDS_OFF, message=await open_settings(asha, "cards"))
    words = (await asha.press(HAND, message=table)).message
    assert not words.files
    assert [button.label for button in words.buttons] == labels
    assert "**Spades:** 2, 4, 6, 8, 10, Q" in words.text
    message = await asha.wait_for(lambda: not (p := panel_in_dm(asha)).files and p)
    assert "**Spades:** 2, 4, 6, 8, 10, Q" in message.text
    after = (await asha.press(DRAW, message=message)).message
    assert "**Just drawn:**" in after.text
    assert discards(after)
    await act(asha, after)


async def test_without_hands_by_message_all_is_played_at_the_table(discord, bot, quick):
    asha = discord.person("asha")
    await asha.press(DMS_ON, message=await open_settings(asha, "messages"))
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    panel = (await asha.press(HAND, message=table)).message
    assert "direct messages" not in panel.text
    while not is_over(panel):
        if is_asked(panel):
            panel = (await act(asha, panel)).panel
        else:
            await asha.wait_for(
                lambda: "Asha** draws next" in asha.look(table).text or asha.look(table).button(NEXT)
            )
            panel = (await asha.press(HAND, message=table)).message
    await published(bot)
    assert asha.dm() == []
    assert not discord.recorder.requests("POST", "/users/@me/channels")


async def test_turned_off_in_a_deal_the_message_keeps_no_cards(discord, bot, playing):
    asha, _, table = playing
    old = panel_in_dm(asha)
    panel = await open_settings(asha, "messages")
    await asha.press(DMS_ON, message=panel)
    gone = await asha.wait_for(lambda: not (p := panel_in_dm(asha)).buttons and p)
    assert (gone.id, gone.files, len(asha.dm())) == (old.id, [], 1)
    assert "no longer shown" in gone.text
    assert f"/{table.id}" in gone.text
    await asha.press(DRAW, message=(await asha.press(HAND, message=table)).message)
    await published(bot)
    assert len(asha.dm()) == 1

    await asha.press(DMS_OFF, message=panel)
    back = await asha.wait_for(lambda: len(asha.dm()) == 2 and panel_in_dm(asha))
    assert discards(back)
    assert back.id != old.id


async def test_each_deal_has_its_own_message(discord, bot, quick):
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await play_by_buttons(asha)
    first = await asha.wait_for(lambda: is_over(panel_in_dm(asha)) and panel_in_dm(asha))
    assert first.button(NEXT)
    assert not first.selects
    await published(bot)
    await asha.press(NEXT, message=table)
    second = await asha.wait_for(lambda: len(asha.dm()) == 2 and panel_in_dm(asha))
    assert "Deal 2" in second.text
    assert is_asked(second)
    await published(bot)
    assert "no longer shown" in asha.look(first).text
    assert not asha.look(first).buttons
    assert re.search(r"Table 1\]\(http\S+/\d+\)", second.text)


async def test_forged_settings_change_nothing(discord, bot):
    asha = discord.person("asha")
    panel = await open_settings(asha, "cards")
    await asha.press(LARGE_OFF, message=panel)
    for verb, values in (
        ("pick-grouping", ["nonsense"]),
        ("pick-deck", ["5"]),
        ("pick-theme", ["grey"]),
        ("pick-language", ["xx"]),
        ("pick-settings", ["everything"]),
    ):
        answered = await press_blindly(asha, panel, f"mr1:{verb}:0:0", component_type=3, values=values)
        assert "out of date" in asha.last().text
        assert answered.callback_type == 4
    assert await settings_of(bot, asha) == PersonSettings(large=True)
