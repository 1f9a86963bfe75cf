"""Challenges, and the list of a server's current tables."""

from datetime import UTC, datetime

from data.transaction import ReadTransaction
from playground.model import PRIVATE_THREAD, Channel
from tests.e2e.looking import facts, published
from tests.e2e.players import (
    COMPUTER,
    JOIN,
    LEAVE,
    START,
    open_table,
    press_tool,
)

CHALLENGE = "Challenge to Marriage"


async def test_a_challenge_opens_a_table_and_pings_once(discord, bot, dull):
    asha, bikram, chandra = (discord.person(name) for name in ("asha", "bikram", "chandra"))
    table = (await asha.user_command(CHALLENGE, bikram)).message
    assert f"<@{bikram.id}>, **Asha** challenges you" in table.text
    assert table.pinged == ["bikram"]
    assert "Private table.** Invited: Bikram" in table.text

    await chandra.press(JOIN, message=table)
    assert chandra.find("Table 1 is private. Ask **Asha**")
    await bikram.press(JOIN, message=table)
    shown = asha.look(table)
    assert "challenges you" not in shown.text
    assert shown.message.mentions == []
    await asha.press(START, message=table)
    assert (await facts(bot)).table.status == "playing"


async def test_who_cannot_be_challenged(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    assert "You cannot challenge yourself" in (await asha.user_command(CHALLENGE, asha)).message.text
    assert "is a bot" in (await asha.user_command(CHALLENGE, discord.world.bot)).message.text
    await open_table(asha)
    assert (
        "You already have a seat at another table"
        in (await asha.user_command(CHALLENGE, bikram)).message.text
    )

    async def read(db: ReadTransaction) -> None:
        assert [table.id for table in await db.tables.all_open()] == [1]

    await bot.store.read(read)


async def test_a_challenge_needs_a_channel_where_a_table_can_stand(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    discord.world.deny("marriage", "ATTACH_FILES")
    told = (await asha.user_command(CHALLENGE, bikram)).message
    assert "Attach Files" in told.text
    assert told.message.mentions == []


async def test_the_tables_of_a_server_are_listed_with_the_viewers_first(discord, bot):
    asha, bikram, chandra = (discord.person(name) for name in ("asha", "bikram", "chandra"))
    assert "No table is open" in (await asha.slash("marriage tables")).message.text
    first = await open_table(asha)
    bikram.go("general")
    second = (await bikram.slash("marriage play")).message
    await published(bot)
    listed = (await bikram.slash("marriage tables")).message
    assert listed.ephemeral
    mine, other = listed.text.split("\n")[-2:]
    assert mine.startswith("**Yours:** [Table 2](")
    assert f"/{second.message.channel.id}/{second.id})" in mine
    assert other.startswith("[Table 1](")
    assert f"/{first.id})" in other
    assert "waiting for players · 1 of 5 seats · Simple · host Asha" in other

    discord.world.deny("general", "VIEW_CHANNEL", who="chandra")
    assert "Table 2" not in (await chandra.slash("marriage tables")).message.text
    await press_tool(asha, first, LEAVE)
    assert "Table 1" not in (await chandra.slash("marriage tables")).message.text
    await press_tool(bikram, second, COMPUTER)
    await bikram.press(START, message=second)
    assert "playing deal 1 · 2 players · Simple" in (await bikram.slash("marriage tables")).message.text


async def test_a_table_in_a_private_thread_of_others_is_listed_for_its_members_alone(discord, bot):
    asha, bikram, chandra = (discord.person(name) for name in ("asha", "bikram", "chandra"))
    thread = private_thread(discord, asha, bikram)
    asha.go(thread)
    await asha.slash("marriage play")
    await published(bot)
    for person, listed in ((asha, True), (bikram, False), (chandra, False)):
        assert ("Table 1" in (await person.slash("marriage tables")).message.text) == listed
    bikram.go(thread)
    assert "Table 1" in (await bikram.slash("marriage tables")).message.text


def private_thread(discord, *people):
    """Return a private thread that the first of these people has made, with all of them and the bot."""
    world = discord.world
    thread = Channel(world.ids.new(), PRIVATE_THREAD, "just us", parent=world.channel("marriage"))
    thread.owner_id = people[0].id
    thread.members |= {who: datetime.now(UTC) for who in (world.bot.id, *(person.id for person in people))}
    world.channels[thread.id] = thread
    world.publish("channel_create", thread)
    return thread
