"""History, profile and leaderboard over the wire, after deals that were played."""

import asyncio
import json

import pytest
from sqlalchemy import delete, text, update

from bot.history.stats import recompute
from data.schema import TABLES
from data.schema.stats import estimate, played, rating, tally
from data.transaction import ReadTransaction, WriteTransaction
from league.statistics.stats import Span
from tests.e2e.forging import button, forge, press_blindly, select
from tests.e2e.looking import published
from tests.e2e.players import NEXT, START, open_table, panel_in_dm, play_by_buttons, say
from tests.statements import statements

LOOK = say("history.open")
ALL, OWN = say("history.all"), say("history.own")
ORDER, SPAN, AROUND = say("board.order"), say("board.span"), say("board.around")
EXPORT, FORGET, YES = (say(f"privacy.{name}") for name in ("export", "forget", "yes"))
PEOPLE, COMPUTERS = say("company.people"), say("company.computers")
LISTED = say("settings.listed_on")
NO_DEAL, HIDDEN, EMPTY = say("pastdeal.none"), say("profile.hidden"), say("history.empty")


@pytest.fixture
async def two_deals(discord, bot, quick):
    """Two deals that Asha won against Bikram in the first turn; estimates are computed once, at the end."""
    bot.bot.services.scheduler.repeat("estimates", _never)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    for number in (1, 2):
        for person in (asha, bikram):
            await person.wait_for(lambda who=person, number=number: _has_deal(who, number))
        await asyncio.gather(play_by_buttons(asha), play_by_buttons(bikram))
        await asha.wait_for(lambda number=number: f"won deal {number}" in asha.look(table).text)
        await published(bot)
        assert ("🏅" in asha.look(table).text) == (number == 1)
        if number == 1:
            for person in (asha, bikram):
                await person.press(NEXT, message=table)
    await bot.bot.services.estimates_worker.catch_up()
    return asha, bikram, table


async def _never() -> float:
    """Return a day, in place of the function that regularly computes the estimates."""
    return 86_400


def _has_deal(person, number) -> bool:
    panel = panel_in_dm(person)
    return panel is not None and f"Deal {number}" in panel.text


async def test_history_boards_and_what_they_hide(discord, bot, two_deals):
    asha, bikram, _ = two_deals
    chitra = discord.person("chitra")
    await _own_deals(asha, bikram)
    await _what_a_watcher_sees(bot, asha, chitra)
    await _profiles(asha, chitra)
    await _boards(asha, bikram, chitra)
    await _opting_out(asha, bikram)
    assert (await recompute(bot.store)).differing == 0


async def _own_deals(asha, bikram):
    listed = (await asha.slash("history")).message
    assert listed.ephemeral
    assert "2 deals" in listed.text
    assert listed.text.index("**Table 1 · deal 2**") < listed.text.index("**Table 1 · deal 1**")
    offered = listed.select(LOOK).options
    assert [option["label"] for option in offered] == ["Table 1, deal 2", "Table 1, deal 1"]
    assert all(option["description"].startswith("🏁 Asha +") for option in offered)
    assert all(", Bikram −" in option["description"] for option in offered)
    second = (await asha.choose(LOOK, ["1-2"], message=listed)).message
    assert "## Table 1 · deal 2" in second.text
    assert "won deal 2" in second.text
    assert second.button("mr1:replay:1:2")
    deal = (await asha.choose(LOOK, ["1-1"], message=listed)).message
    assert deal.ephemeral
    assert "won deal 1" in deal.text
    assert len(deal.files) == 1
    with_bikram = (await asha.slash("history", player=bikram.user, since="week")).message
    assert f"<@{bikram.id}>" in with_bikram.text.splitlines()[1]
    assert "2 deals" in with_bikram.text
    assert EMPTY in (await asha.slash("history", preset="kathmandu")).message.text


async def _what_a_watcher_sees(bot, asha, chitra):
    """Assert that a watcher sees an open table's deals, but nothing of a private one, even by forgery."""
    mine = (await chitra.slash("history")).message
    assert say("history.empty_own") in mine.text
    whole = (await chitra.press(ALL, message=mine)).message
    assert "2 deals" in whole.text
    assert "won deal 2" in (await chitra.choose(LOOK, ["1-2"], message=whole)).message.text
    await _set_private(bot, private=True)
    try:
        assert say("history.empty_all") in (await chitra.slash("history", whose="all")).message.text
        assert NO_DEAL in await _forged(chitra, button("mr1:past-deal:1:1"))
        assert NO_DEAL in await _forged(chitra, select("mr1:pick-deal:0:0", "1-1"), values=["1-1"])
        assert "2 deals" in (await asha.slash("history")).message.text
        hidden = await chitra.slash("verify", table=1, deal=1)
        assert say("sorry.verify_hidden", table=1, deal=1) in hidden.message.text
        assert "Seed: `" in (await asha.slash("verify", table=1, deal=1)).message.text
    finally:
        await _set_private(bot, private=False)
    assert "Page 1 of 1" in await _forged(chitra, button("mr1:history-on:0:999:all-0-0-0"))
    beyond = await _forged(chitra, button("mr1:history-on:0:999999999999:own-0-0-0"))
    assert say("history.empty_own") in beyond
    for way in ("history-on:0:0:all-0-9-0", "history-on:0:0:nobody", "history-on:0:0", "board-on:0:0:a-b"):
        assert "out of date" in await _forged(chitra, button(f"mr1:{way}"))
    assert "out of date" in await _forged(chitra, select("mr1:pick-deal:0:0", "१-1"), values=["१-1"])


async def _forged(person, component, **data) -> str:
    """Return the answer to a press of a component that the bot never wrote."""
    message = forge(person, component)
    await press_blindly(person, message, component["custom_id"], component_type=component["type"], **data)
    return person.last().text


async def _set_private(bot, *, private: bool):
    await bot.store.write(lambda db: db.tables._execute(update(played).values(private=private)))


async def _profiles(asha, chitra):
    profile = (await asha.slash("profile")).message
    assert profile.ephemeral
    assert "**2** deals · **1** match" in profile.text
    assert "Bikram" in profile.text
    assert "1500" not in profile.text
    assert "?**" in profile.text
    assert say("achievement.one_turn") in profile.text
    assert "won 2 · seen 2" in profile.text
    assert [len(profile.files), "Asha: Deals 2" in str(profile.files[0].alt)] == [1, True]
    of_asha = (await chitra.slash("profile", player=asha.user)).message
    assert of_asha.text == profile.text
    assert say("profile.none_own") in (await chitra.slash("profile")).message.text


async def _boards(asha, bikram, chitra):
    board = (await asha.slash("leaderboard")).message
    assert board.ephemeral
    assert say("board.order_adjusted") in board.text
    assert "➤ `  ?` **Asha**" in board.text
    assert "You: ?: Asha" in str(board.files[0].alt)
    assert "±" in board.text
    points = (await asha.choose(ORDER, ["points"], message=board)).message
    assert points.text.index("Asha") < points.text.index("Bikram")
    assert "`  1.`" in points.text
    week = (await asha.choose(SPAN, ["week"], message=points)).message
    assert "this week" in week.text
    assert "Asha" in (await asha.press(AROUND, message=week)).message.text
    rating = (await bikram.slash("leaderboard", order="rating")).message
    assert "1500" not in rating.text
    assert "➤ `  ?` **Bikram**" in rating.text
    public = (await bikram.slash("leaderboard", order="points", public=True)).message
    assert not public.ephemeral
    assert "➤" not in public.text
    assert "You" not in str(public.files[0].alt)
    other = await chitra.choose(ORDER, ["rating"], message=public)
    assert other.message.ephemeral
    assert other.message.id != public.id
    assert chitra.look(public).text == public.text


async def _opting_out(asha, bikram):
    await bikram.press(LISTED, message=(await bikram.slash("settings")).message)
    assert HIDDEN in (await asha.slash("profile", player=bikram.user)).message.text
    assert "Bikram" not in (await asha.slash("leaderboard", order="points")).message.text
    assert "Bikram" not in (await asha.slash("profile")).message.text
    assert "only you" in (await bikram.slash("profile")).message.text.casefold()
    assert HIDDEN in (await bikram.slash("profile", public=True)).message.text


async def test_a_forgotten_person_is_found_nowhere_and_others_keep_their_deals(discord, bot, two_deals):
    asha, bikram, table = two_deals
    profile = (await asha.slash("profile")).message.text
    policy = (await bikram.slash("privacy")).message
    assert policy.ephemeral
    exported = (await bikram.press(EXPORT, message=policy)).message
    assert exported.ephemeral
    [file] = exported.files
    kept = json.loads(file.content)
    assert {"person", "seat", "result", "played_seat", "rating", "tally", "career"} <= kept.keys()
    assert {row["person_id"] for row in kept["result"]} == {int(bikram.user.id)}
    question = (await bikram.press(FORGET, message=policy)).message
    assert "cannot be undone" in policy.text
    done = (await bikram.press(YES, message=question)).message
    assert done.text == say("privacy.forgotten")
    await published(bot)
    assert await _found(bot, str(bikram.user.id), "Bikram") == []
    assert "Bikram" not in asha.look(table).text
    assert (await recompute(bot.store)).differing == 0
    assert "2 deals" in (await asha.slash("history")).message.text
    without_rivals = [
        line for line in profile.splitlines() if "Bikram" not in line and line != say("profile.rivals")
    ]
    assert (await asha.slash("profile")).message.text.splitlines() == without_rivals
    assert say("profile.none") in (await asha.slash("profile", player=bikram.user)).message.text
    assert "Player" not in (await asha.slash("leaderboard", order="points")).message.text
    assert say("privacy.nothing") in (await bikram.press(YES, message=question)).message.text
    [file] = (await bikram.press(EXPORT, message=policy)).message.files
    assert {row["kind"] for row in json.loads(file.content)["person_limit"]} >= {"erasure"}
    assert json.loads(file.content).keys() == {"person_limit", "forgotten"}


async def _found(bot, *words: str) -> list[str]:
    """Return the places in the store that contain any of these words, in any column."""

    async def read(db: ReadTransaction) -> list[str]:
        found: list[str] = []
        for table in TABLES.sorted_tables:
            for row in await db.tables._execute(text("SELECT * FROM " + table.name)):
                found += [table.name for value in row if any(word in str(value) for word in words)]
        return found

    return await bot.store.read(read)


async def test_deals_with_computers_have_figures_apart_from_those_that_count(discord, bot, quick):
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await play_by_buttons(asha)
    await asha.wait_for(lambda: "won deal 1" in asha.look(table).text)
    assert "1 deal" in (await asha.slash("history")).message.text
    board = (await asha.slash("leaderboard", order="points")).message
    assert say("board.empty_people") in board.text
    board = (await asha.press(COMPUTERS, message=board)).message
    assert "➤ `  1.` **Asha**" in board.text
    assert say("board.note_computers") in board.text
    week = (await asha.choose(SPAN, ["week"], message=board)).message
    assert f"{say('board.order_computers')}, {say('board.span_week')}" in week.text
    assert say("board.empty_people") in (await asha.press(PEOPLE, message=week)).message.text

    profile = (await asha.slash("profile")).message
    assert "**1** deal with computers" in profile.text
    assert say("profile.days", days=1) in profile.text
    assert "Rating" not in profile.text
    assert len(profile.files) == 1
    among_people = (await asha.press(PEOPLE, message=profile)).message
    assert say("profile.empty_people") in among_people.text
    assert "with computers" in (await asha.press(COMPUTERS, message=among_people)).message.text
    stranger = (await discord.person("chitra").slash("profile", player=asha.user)).message
    assert "**1** deal with computers" in stranger.text
    for way in ("profile:0:0:1", "profile:0:0:x-people", "profile:0:0:1-robots", "board-company:0:0:points"):
        assert "out of date" in await _forged(asha, button(f"mr1:{way}"))
    assert (await recompute(bot.store)).differing == 0


async def test_figures_with_computers_are_hidden_and_forgotten_with_the_person(discord, bot, quick):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await play_by_buttons(asha)
    await asha.wait_for(lambda: "won deal 1" in asha.look(table).text)
    board = (await bikram.slash("leaderboard")).message  # the first board with anyone on it
    assert "Points with computers" in board.text
    assert "Asha" in board.text
    await asha.press(LISTED, message=(await asha.slash("settings")).message)
    shown = f"mr1:profile:0:0:{asha.user.id}-computers"
    assert HIDDEN in await _forged(bikram, button(shown))
    empty = (await bikram.press(COMPUTERS, message=(await bikram.slash("leaderboard")).message)).message
    assert say("board.empty_computers") in empty.text
    policy = (await asha.slash("privacy")).message
    [file] = (await asha.press(EXPORT, message=policy)).message.files
    assert "computer_tally" in json.loads(file.content)
    await asha.press(YES, message=(await asha.press(FORGET, message=policy)).message)
    assert await _found(bot, str(asha.user.id)) == []
    assert (await recompute(bot.store)).differing == 0


async def test_a_wrong_rating_is_put_right_by_recomputing(discord, bot, two_deals):
    async def write(db: WriteTransaction):
        before = await db.stats.everything()
        await db.tables._execute(update(rating).values(mu=rating.c.mu + 1e-12))
        return before

    before = await bot.store.write(write)
    assert (await recompute(bot.store)).differing == 2
    assert await bot.store.read(lambda db: db.stats.everything()) == before


async def test_wrong_estimates_are_put_right_by_recomputing(discord, bot, two_deals):
    async def write(db: WriteTransaction):
        before = {key: await db.estimates.listed(*key) for key in await db.estimates.kept()}
        await db.tables._execute(update(estimate).values(value=estimate.c.value + 0.001))
        return before

    before = await bot.store.write(write)
    assert {estimates.deals for estimates in before.values()} == {2}
    assert (await recompute(bot.store)).differing == len(before) == len(Span)

    async def read(db: ReadTransaction) -> None:
        assert all([estimates.agrees(await db.estimates.listed(*key)) for key, estimates in before.items()])

    await bot.store.read(read)


async def test_the_first_board_with_anybody_on_it_is_found_without_reading_boards_in_vain(
    discord, bot, two_deals
):
    """Only the usual board is read if it lists someone; without deals, only the figures and no rating."""
    asha, *_ = two_deals
    made = statements(bot.store)
    await asha.slash("leaderboard")
    first = _boards_read(made)
    await bot.bot.services.estimates_worker.catch_up()
    made.clear()
    shown = (await asha.slash("leaderboard")).message
    assert say("board.order_adjusted") in shown.text
    assert _boards_read(made) == first == {"tally": 1, "rating": 0, "computer_tally": 0}

    async def write(db: WriteTransaction) -> None:
        for table in (tally, estimate):
            await db.tables._execute(delete(table))

    await bot.store.write(write)
    made.clear()
    assert say("board.empty_people") in (await asha.slash("leaderboard")).message.text
    assert _boards_read(made) == {"tally": 2, "rating": 0, "computer_tally": 1}


def _boards_read(made: list[str]) -> dict[str, int]:
    return {
        name: sum(f"\nFROM {name}" in said for said in made) for name in ("tally", "rating", "computer_tally")
    }
