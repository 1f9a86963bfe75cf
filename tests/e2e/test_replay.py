"""The replay of a deal that is over, over the wire: opened, stepped through, seen from every seat, shared, forged."""

import asyncio
import re
import sys
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO

import pytest
from PIL import Image

from bot.errors import UserError
from bot.history.replays import Replays, shared_once
from bot.table.core.snapshot import Holder
from bot.words.names import seat_name, shown_name
from bot.words.texts import catalogue
from data.preferences import GuildSettings, PersonSettings
from data.repositories.deal_search import Sight
from data.transaction import ReadTransaction, WriteTransaction
from marriage.events import Drew
from marriage.review import steps
from playground.model import PUBLIC_THREAD, Channel
from render.alt import hand_alt, open_hands_alt, sheet_alt, table_alt
from tests.e2e.forging import button, forge, select
from tests.e2e.looking import facts
from tests.e2e.players import (
    CLOSE,
    MANAGE,
    NEXT,
    PATIENCE,
    START,
    open_settings,
    open_table,
    play_by_buttons,
    press_tool,
    say,
)
from tests.e2e.test_faults import one_acknowledged
from tests.gates import Gate
from tests.statements import statements

REPLAY, ANIMATED, SHARE, HANDS = (say(f"button.{key}") for key in ("replay", "animated", "share", "hands"))
FIRST, BACK, FORWARD, LAST = (say(f"button.replay_{key}") for key in ("first", "back", "on", "last"))
EYES, TURNS = say("replay.choose_eyes"), say("replay.choose_turn")
STEP = re.compile(r"Step \*\*(\d+)\*\* of \*\*(\d+)\*\*")
COUNTED = "max(rowid)"
"""Part of the queries by which the bot regularly records how much the file holds."""


async def played(bot, deal_no: int = 1):
    """Return the steps of a stored deal, and the names of its seats."""

    async def read(db: ReadTransaction):
        events = await db.deals.events(1, deal_no)
        names = [
            seat_name(row.person_id, row.name) for row in await db.deals.results(1) if row.deal_no == deal_no
        ]
        return events, names

    events, names = await bot.store.read(read)
    return steps(events), names


def where(shown) -> tuple[int, int]:
    step, count = STEP.search(shown.text).groups()
    return int(step), int(count)


def alts(shown) -> list[str]:
    return [file.alt for file in shown.files]


async def test_a_step_reads_no_event_again(bot, finished):
    asha, sheet = finished
    shown = (await asha.press(REPLAY, message=sheet)).message
    made = statements(bot.store)
    for _ in range(3):
        shown = (await asha.press(FORWARD, message=shown)).message
    assert where(shown)[0] == 4
    assert made
    assert not [each for each in made if "FROM event" in each and COUNTED not in each]


async def test_deals_that_were_looked_at_are_kept_up_to_a_number_of_steps(bot, finished, monkeypatch):
    asha, sheet = finished
    await asha.press(REPLAY, message=sheet)
    replays = bot.bot.services.replays
    assert len(replays._kept) == 1
    sight = Sight(asha.id, bot.bot.guilds[0].id, frozenset({sheet.message.channel.id}))
    monkeypatch.setattr("bot.history.replays.MOST_STEPS", 1)
    replays._kept[99, 1] = replays._kept[1, 1]
    assert (await replays.load(1, 1, sight)).steps
    assert list(replays._kept) == [(1, 1)]


async def test_it_is_stepped_through_from_the_first_step_to_the_last(bot, finished):
    asha, sheet = finished
    before = await facts(bot)
    found, names = await played(bot)
    shown = (await asha.press(REPLAY, message=sheet)).message
    assert shown.ephemeral
    assert shown.id != sheet.id
    assert where(shown) == (1, len(found))
    assert shown.button(FIRST).disabled
    assert shown.button(BACK).disabled
    for number, step in enumerate(found):
        assert where(shown) == (number + 1, len(found))
        moment = step.seen_by(0)
        assert alts(shown) == [
            table_alt(moment.view, names) if moment.view.sheet is None else sheet_alt(moment.view, names),
            hand_alt(moment.view, Holder().order(moment.view)),
        ]
        if isinstance(step.event, Drew):
            assert ("drew from the stock" in shown.text) == (step.event.seat != 0)
        if number + 1 < len(found):
            shown = (await asha.press(FORWARD, message=shown)).message
    assert shown.button(FORWARD).disabled
    assert shown.button(LAST).disabled
    assert "**Asha finished, discarding" in shown.text
    sums = re.findall(r"\*\*([+−]\d+)\*\*", shown.text)
    assert [int(total.replace("−", "-")) for total in sums] == [row.net for row in before.results]
    back = (await asha.press(BACK, message=shown)).message
    assert (back.id, where(back)[0]) == (shown.id, len(found) - 1)
    assert where((await asha.press(FIRST, message=back)).message)[0] == 1
    last = (await asha.press(LAST, message=asha.look(back))).message
    assert alts(last) == alts(shown)
    assert await facts(bot) == before


async def test_every_seat_is_shown_what_it_knew(bot, finished):
    asha, sheet = finished
    found, names = await played(bot)
    shown = (await asha.press(REPLAY, message=sheet)).message
    shown = (await asha.press(FORWARD, message=shown)).message
    assert shown.select(EYES).chosen == ["0"]
    assert shown.select(EYES).labels == [*names, say("replay.eyes_all"), say("replay.eyes_public")]
    step = found[1]
    assert isinstance(step.event, Drew)
    assert step.event.seat == 1

    shown = (await asha.choose(EYES, ["1"], message=shown)).message
    moment = step.seen_by(1)
    assert alts(shown) == [table_alt(moment.view, names), hand_alt(moment.view, Holder().order(moment.view))]
    assert re.search(r"drew \S+ from the stock", shown.text)
    assert f"as {shown_name(names[1])} saw it" in shown.text

    shown = (await asha.choose(EYES, ["all"], message=shown)).message
    opened = step.opened().view
    assert alts(shown) == [table_alt(opened, names), open_hands_alt(opened, names)]
    assert where(shown)[0] == 2

    shown = (await asha.choose(EYES, ["public"], message=shown)).message
    assert alts(shown) == [table_alt(step.seen_by(None).view, names)]
    assert "drew from the stock" in shown.text
    following = (await asha.press(FORWARD, message=shown)).message
    assert following.select(EYES).chosen == ["public"]


async def test_all_hands_are_opened_to_those_who_ask_for_them_after_the_deal(discord, bot, finished):
    asha, sheet = finished
    before = await facts(bot)
    found, names = await played(bot)
    opened = found[-1].opened().view
    for person in (asha, discord.person("chandra")):
        shown = (await press_tool(person, sheet, HANDS)).message
        assert shown.ephemeral
        assert alts(shown) == [sheet_alt(opened, names), open_hands_alt(opened, names)]
        assert where(shown) == (len(found), len(found))
    assert len(asha.look(sheet).files) == len(sheet.files)
    assert await facts(bot) == before


async def test_turning_points_are_jumped_to(bot, finished):
    asha, sheet = finished
    found, _ = await played(bot)
    shown = (await asha.press(REPLAY, message=sheet)).message
    turns = shown.select(TURNS)
    assert turns.values == [str(number) for number, step in enumerate(found) if step.notable]
    cut = next(label for label in turns.labels if "Asha cut the tiplu: " in label)
    shown = (await asha.choose(TURNS, [cut], message=shown)).message
    assert f"{where(shown)[0]} · " in cut
    assert "Asha cut the tiplu: " in shown.text
    other = (await asha.choose(EYES, ["1"], message=shown)).message
    assert "**Asha cut the tiplu**" in other.text
    showed = next(label for label in other.select(TURNS).labels if "showed three pure sets" in label)
    shown = (await asha.choose(TURNS, [showed], message=other)).message
    assert re.search(r"\*\*Asha showed \S+ \S+ \S+ · \S+ \S+ \S+ · \S+ \S+ \S+\*\*", shown.text)


async def test_others_look_from_outside_and_nobody_disturbs_another(discord, bot, finished):
    asha, sheet = finished
    chandra = discord.person("chandra")
    theirs = (await chandra.press(REPLAY, message=sheet)).message
    hers = (await asha.press(REPLAY, message=sheet)).message
    assert theirs.select(EYES).chosen == ["all"]
    theirs = (await chandra.press(LAST, message=theirs)).message
    assert where(asha.look(hers))[0] == 1
    assert chandra.find("Step **1**") is None
    assert all(message.id != theirs.id for message in asha.messages())


async def test_the_panel_outlives_a_restart(discord, start_bot, quick):
    running = await start_bot()
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await play_by_buttons(asha)
    await asha.wait_for(lambda: asha.look(table).button(REPLAY), PATIENCE)
    shown = (await asha.press(REPLAY, message=table)).message
    shown = (await asha.press(FORWARD, message=shown)).message
    await running.stop()
    await start_bot()
    after = (await asha.press(FORWARD, message=shown)).message
    assert (after.id, where(after)) == (shown.id, (3, where(shown)[1]))


async def test_it_is_typed_too_also_after_the_table_is_closed(discord, bot, finished):
    asha, sheet = finished
    typed = (await asha.slash("marriage replay")).message
    assert typed.ephemeral
    assert "table 1, deal 1" in typed.text
    chandra = discord.person("chandra")
    assert where((await chandra.slash("marriage replay", deal=1, table=1)).message)[0] == 1
    await press_tool(asha, sheet, CLOSE)
    closed = await asha.sees("This table is closed after 1 deal")
    assert where((await asha.press(REPLAY, message=closed)).message)[0] == 1
    assert "table 1, deal 1" in (await asha.slash("marriage replay")).message.text
    assert "table 1, deal 1" in (await chandra.slash("marriage replay")).message.text
    for options in ({"deal": 2}, {"deal": 9}, {"table": 9}):
        answer = (await asha.slash("marriage replay", **options)).message
        assert "no such finished deal" in answer.text
    chandra.go("general")
    assert "You have no seat at a table yet" in (await chandra.slash("marriage replay")).message.text


async def test_a_deal_that_is_on_stays_closed(discord, bot, dull):
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    assert "no such finished deal" in (await asha.slash("marriage replay")).message.text
    await asha.press(START, message=table)
    for answer in (
        await asha.slash("marriage replay"),
        await asha.slash("marriage replay", deal=1),
        await asha.press("Forged", message=forge(asha, button("mr1:replay:1:1:0-all"), private=True)),
        await asha.press("Forged", message=forge(asha, button("mr1:hands:1:1"), private=True)),
        await asha.press("Forged", message=forge(asha, button("mr1:animate:1:1:0-all"), private=True)),
        await asha.press("Forged", message=forge(asha, button("mr1:share-replay:1:1:0-all"), private=True)),
    ):
        assert "Deal 1 is still in progress" in answer.message.text
        assert answer.message.ephemeral
        assert not answer.message.files
    following = (await asha.slash("marriage replay", deal=2)).message
    assert "no such finished deal" in following.text


async def test_odd_presses_are_refused_and_change_nothing(discord, bot, finished):
    asha, _ = finished
    before = await facts(bot)
    refused = {
        "replay:1:1:999-all": "with that number",
        "replay:1:1:0-4": "with that number",
        "replay:1:2:0-all": "no such finished deal",
        "replay:9:1:0-all": "no such finished deal",
        "replay:1:0": "no such finished deal",
        "replay:1:1:x": "out of date",
        "replay:1:1:-1-all": "out of date",
        "replay:1:1:0-7": "out of date",
        "replay:1:1:000000-all": "out of date",
        "animate:1:1:0-3": "with that number",
    }
    for custom_id, words in refused.items():
        answer = await asha.press("Forged", message=forge(asha, button(f"mr1:{custom_id}"), private=True))
        assert words in answer.message.text, custom_id
        assert not answer.message.files
    chosen = {
        ("pick-replay-eye", "9"): "out of date",
        ("pick-replay-eye", "me"): "out of date",
        ("pick-replay-eye", "4"): "with that number",
        ("pick-replay-turn", "-1"): "out of date",
        ("pick-replay-turn", "99999"): "with that number",
        ("pick-replay-turn", "soon"): "out of date",
    }
    for (verb, value), words in chosen.items():
        custom_id = f"mr1:{verb}:1:1:0-all"
        message = forge(asha, select(custom_id, value), private=True)
        answer = await asha.choose(custom_id, [value], message=message)
        assert words in answer.message.text, (verb, value)
    assert await facts(bot) == before


async def test_a_message_for_everybody_never_turns_into_a_replay(bot, finished):
    asha, _ = finished
    public = forge(asha, button("mr1:replay:1:1:1-all"))
    answer = await asha.press("Forged", message=public)
    assert answer.message.id != public.id
    assert answer.message.ephemeral
    assert asha.look(public).raw == public.raw


async def test_people_who_want_words_get_words(bot, finished):
    asha, sheet = finished
    settings = await open_settings(asha, "cards")
    await asha.press(re.compile("set-words"), message=settings)
    found, names = await played(bot)
    shown = (await asha.press(REPLAY, message=sheet)).message
    assert shown.files == []
    assert table_alt(found[0].seen_by(0).view, names) in shown.text
    assert "**Spades:**" in shown.text
    opened = (await asha.choose(EYES, ["all"], message=shown)).message
    assert opened.files == []
    assert opened.text.count("**Spades:**") == 2


async def test_the_moving_picture_is_seen_first_and_then_shared_once(discord, bot, finished):
    asha, sheet = finished
    chandra = discord.person("chandra")
    found, _ = await played(bot)
    shown = (await asha.press(REPLAY, message=sheet)).message
    moving = (await asha.press(ANIMATED, message=shown)).message
    assert moving.ephemeral
    assert moving.id != shown.id
    (file,) = moving.files
    assert (file.content_type, file.filename[-4:]) == ("image/gif", ".gif")
    with Image.open(BytesIO(file.content)) as picture:
        assert picture.n_frames == len(found)
    assert file.alt.startswith(f"The deal in {len(found)} steps, as Asha saw it. ")
    assert "Asha finished, discarding" in file.alt

    posted = (await asha.press(SHARE, message=moving)).message
    assert not posted.ephemeral
    assert "Shared by Asha" in posted.text
    assert posted.files[0].content == file.content
    assert posted.button(SHARE) is None
    again = (await asha.press(SHARE, message=moving)).message
    assert again.ephemeral
    assert "has already been shared" in again.text
    theirs = (await chandra.press(REPLAY, message=posted)).message
    assert theirs.ephemeral
    moving = (await chandra.press(ANIMATED, message=theirs)).message
    assert "has already been shared" in (await chandra.press(SHARE, message=moving)).message.text
    assert len([message for message in asha.messages() if not message.ephemeral and message.files]) == 2


async def test_what_is_shared_speaks_the_language_of_the_server(discord, bot, finished):
    asha, sheet = finished

    async def write(db: WriteTransaction) -> None:
        table = await db.tables.get(1)
        await db.guilds.set_settings(table.guild_id, GuildSettings(language="ne"))
        await db.people.set_settings(asha.id, PersonSettings(language="hi"))

    await bot.store.write(write)
    hindi, nepali = catalogue("hi"), catalogue("ne")
    shown = (await asha.press(REPLAY, message=sheet)).message
    assert hindi("replay.seen_by", name="Asha") in shown.text
    moving = (await asha.press(hindi("button.animated"), message=shown)).message
    posted = (await asha.press(hindi("button.share"), message=moving)).message
    assert nepali("replay.seen_by", name="Asha") in posted.text
    assert (
        nepali("replay.dealt", dealer="Asha", first=nepali("name.computer", name=nepali("computer.Laxmi")))
        in posted.files[0].alt
    )


async def test_two_who_share_at_once_post_it_once(discord, bot, finished):
    asha, sheet = finished
    chandra = discord.person("chandra")
    moving = []
    for person in (asha, chandra):
        shown = (await person.press(REPLAY, message=sheet)).message
        moving.append((await person.press(ANIMATED, message=shown)).message)
    pressed = zip((asha, chandra), moving, strict=True)
    answers = await asyncio.gather(*(person.press(SHARE, message=message) for person, message in pressed))
    assert sorted(answer.message.ephemeral for answer in answers) == [False, True]


async def test_a_share_for_which_the_store_takes_long_is_acknowledged_and_posted(
    discord, bot, finished, monkeypatch
):
    asha, sheet = finished
    shown = (await asha.press(REPLAY, message=sheet)).message
    moving = (await asha.press(ANIMATED, message=shown)).message
    storing = Gate()

    @asynccontextmanager
    async def slowly(*shared):
        await storing.passed()
        async with shared_once(*shared):
            yield

    monkeypatch.setattr(sys.modules["cogs.history.replay"], "shared_once", slowly)
    monkeypatch.setattr("bot.interactions.reply.PATIENCE_S", 0.0)
    sharing = asyncio.create_task(asha.press(SHARE, message=moving))
    await storing.reached()
    await asha.wait_for(lambda: one_acknowledged(discord))
    storing.open()
    answer = await sharing
    assert (answer.type, "Shared by Asha" in answer.message.text) == (5, True)


async def test_a_picture_that_cannot_be_made_is_said_in_words_and_may_be_shared_later(
    bot, finished, monkeypatch, watch
):
    asha, sheet = finished
    shown = (await asha.press(REPLAY, message=sheet)).message
    moving = (await asha.press(ANIMATED, message=shown)).message

    def fail(*_: object, **__: object) -> None:
        raise OSError("no picture")

    async def fail_later(*_: object) -> None:
        raise OSError("no picture")

    services = bot.bot.services
    services.pictures.forget()
    with monkeypatch.context() as patch:
        for name in ("draw_table", "draw_open_hands"):
            patch.setattr(f"bot.pictures.{name}", fail)
        patch.setattr(services.workpool, "run", fail_later)
        words = (await asha.choose(EYES, ["all"], message=shown)).message
        assert words.files == []
        assert words.text.count("**Spades:**") == 2
        assert (
            "cannot make the moving picture just now"
            in (await asha.press(ANIMATED, message=words)).message.text
        )
        assert (
            "cannot make the moving picture just now"
            in (await asha.press(SHARE, message=moving)).message.text
        )
    watch.expect("picture.failed")
    assert (await asha.press(SHARE, message=moving)).message.files


async def test_a_deal_that_nobody_won_is_replayed_too(discord, bot, dull):
    asha, chandra = discord.person("asha"), discord.person("chandra")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await play_by_buttons(asha, most=3)
    await asha.slash("marriage end")
    await asha.wait_for(lambda: asha.look(table).button(REPLAY), PATIENCE)
    shown = (await chandra.press(REPLAY, message=asha.look(table))).message
    shown = (await chandra.press(LAST, message=shown)).message
    assert say("moves.dismissed") in shown.text
    assert len(shown.files) == 2
    await press_tool(asha, table, CLOSE)
    await open_table(asha)
    assert "table 1, deal 1" in (await chandra.slash("marriage replay")).message.text


async def test_a_private_table_is_for_those_who_sat_there(discord, bot, quick):
    asha, chandra = discord.person("asha"), discord.person("chandra")
    table = await open_table(asha, computers=1)
    panel = (await press_tool(asha, table, MANAGE)).message
    await asha.press(say("manage.private_off"), message=panel)
    await asha.press(START, message=table)
    await play_by_buttons(asha)
    await asha.wait_for(lambda: asha.look(table).button(NEXT), PATIENCE)
    refused = (await chandra.press(REPLAY, message=table)).message
    assert "only those who played there" in refused.text
    assert not refused.files
    assert "only those who played there" in (await chandra.slash("marriage replay", table=1)).message.text
    shown = (await asha.press(REPLAY, message=table)).message
    moving = (await asha.press(ANIMATED, message=shown)).message
    assert moving.files
    assert moving.button(SHARE) is None
    forged = forge(asha, button("mr1:share-replay:1:1:0-all"), private=True)
    assert "cannot be shared in a channel" in (await asha.press("Forged", message=forged)).message.text


async def test_the_names_are_those_of_the_deal(discord, bot, quick):
    """Seats are renumbered when a player leaves; an old deal keeps its own numbers."""
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await asyncio.gather(play_by_buttons(asha), play_by_buttons(bikram))
    await asha.wait_for(lambda: asha.look(table).button(NEXT), PATIENCE)
    shown = (await bikram.press(REPLAY, message=table)).message
    assert shown.select(EYES).chosen == ["1"]
    await press_tool(asha, asha.look(table), say("button.leave"))
    after = (await bikram.press(FORWARD, message=shown)).message
    assert after.select(EYES).labels[:2] == ["Asha", "Bikram"]
    assert after.select(EYES).chosen == ["1"]


async def test_somebody_of_another_server_is_told_nothing(bot, finished):
    asha, _ = finished
    table = await bot.store.read(lambda db: db.tables.get(1))
    stranger = Sight(99, table.guild_id + 1, frozenset({table.channel_id}))
    for sight in (
        stranger,
        replace(stranger, guild_id=None),
        replace(stranger, guild_id=table.guild_id, channels=frozenset()),
    ):
        with pytest.raises(UserError) as refused:
            await Replays(bot.store).load(1, 1, sight)
        assert refused.value.key == "sorry.replay_none"
    own = Sight(asha.id, None)
    assert (await Replays(bot.store).load(1, 1, own)).own_seat == 0


async def test_a_press_in_direct_messages_is_answered_there_but_not_shared(bot, finished):
    asha, _ = finished
    asha.go(asha.dm_channel)
    opened = await asha.press("Forged", message=forge(asha, button("mr1:replay:1:1")))
    assert where(opened.message)[0] == 1
    share = forge(asha, button("mr1:share-replay:1:1:0-all"))
    refused = (await asha.press("Forged", message=share)).message
    assert "in a channel where you may post" in refused.text
    assert not refused.files


async def test_a_deal_is_shared_only_where_everybody_who_reads_could_watch(discord, bot, finished):
    asha, sheet = finished
    discord.world.add_channel("lounge")
    moving = (await asha.press(ANIMATED, message=(await asha.press(REPLAY, message=sheet)).message)).message
    asha.go("lounge")
    shown = (await asha.slash("marriage replay", table=1, deal=1)).message
    elsewhere = (await asha.press(ANIMATED, message=shown)).message
    refused = (await asha.press(SHARE, message=elsewhere)).message
    assert refused.text == say("sorry.replay_elsewhere")
    assert refused.ephemeral
    bikram = discord.person("bikram")
    discord.world.deny("marriage", "SEND_MESSAGES", who="bikram")
    theirs = (
        await bikram.press(ANIMATED, message=(await bikram.press(REPLAY, message=sheet)).message)
    ).message
    assert (await bikram.press(SHARE, message=theirs)).message.text == say("sorry.replay_not_here")
    posted = (await asha.press(SHARE, message=moving)).message
    assert (posted.ephemeral, posted.message.channel.name) == (False, "marriage")


@pytest.mark.parametrize("in_thread", [True, False])
async def test_a_deal_is_shared_in_threads_of_its_channel_but_not_in_the_channel_of_its_thread(
    discord, bot, quick, in_thread
):
    asha, world = discord.person("asha"), discord.world
    channel = world.channel("marriage")
    thread = Channel(world.ids.new(), PUBLIC_THREAD, "aside", parent=channel)
    thread.owner_id = asha.id
    thread.members |= {who: datetime.now(UTC) for who in (world.bot.id, asha.id)}
    world.channels[thread.id] = thread
    world.publish("channel_create", thread)
    here, there = (thread, channel) if in_thread else (channel, thread)
    asha.go(here)
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await play_by_buttons(asha)
    await asha.wait_for(lambda: asha.look(table).button(NEXT), PATIENCE)
    asha.go(there)
    shown = (await asha.slash("marriage replay", table=1, deal=1)).message
    moving = (await asha.press(ANIMATED, message=shown)).message
    posted = (await asha.press(SHARE, message=moving)).message
    assert posted.ephemeral == in_thread
    assert (posted.text == say("sorry.replay_elsewhere")) == in_thread
