"""Virtual people: they use every kind of command, and only what they can see."""

import io
import re

import discord
import pytest
from discord import app_commands, ui

from playground.person import CannotDoError, Upload
from tests.playground.client import QuickBot, running
from tests.playground.test_bot import PNG


class Choosers(ui.View):
    def __init__(self) -> None:
        super().__init__(timeout=None)

    @ui.select(cls=ui.UserSelect, placeholder="Opponent", custom_id="who", max_values=2)
    async def who(self, interaction: discord.Interaction, select: ui.UserSelect) -> None:
        await interaction.response.edit_message(content=" and ".join(user.name for user in select.values))

    @ui.select(
        cls=ui.ChannelSelect, placeholder="Place", custom_id="where", channel_types=[discord.ChannelType.text]
    )
    async def where(self, interaction: discord.Interaction, select: ui.ChannelSelect) -> None:
        await interaction.response.defer()
        await interaction.followup.send(select.values[0].name)

    @ui.button(label="Slow", custom_id="slow")
    async def slow(self, interaction: discord.Interaction, button: ui.Button) -> None:
        await interaction.response.defer(thinking=True)
        await interaction.followup.send("done")


class ManyBot(QuickBot):
    async def setup_hook(self) -> None:
        self.add_view(Choosers())  # registered before it is sent, so that no press is missed
        tree = self.tree

        @tree.context_menu(name="Challenge")
        async def challenge(interaction: discord.Interaction, member: discord.Member) -> None:
            await interaction.response.send_message(f"{member.mention} is challenged")

        @tree.context_menu(name="Quote")
        async def quote(interaction: discord.Interaction, message: discord.Message) -> None:
            await interaction.response.send_message(f"> {message.content}", ephemeral=True)

        @tree.command(name="show", description="Show the choosers")
        async def show(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("Choose", view=Choosers())

        @tree.command(name="upload", description="Take a file")
        async def upload(interaction: discord.Interaction, file: discord.Attachment) -> None:
            content = await file.read()
            copy = discord.File(io.BytesIO(content), "copy.png", description="a copy")
            await interaction.response.send_message(f"{len(content)} bytes, {file.width} wide", file=copy)

        @tree.command(name="admin", description="For moderators")
        @app_commands.default_permissions(manage_guild=True)
        @app_commands.guild_only()
        async def admin(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("yes")

        @tree.command(name="pick", description="Choose a game")
        @app_commands.choices(
            game=[
                app_commands.Choice(name="Marriage", value="m"),
                app_commands.Choice(name="Kitty", value="k"),
            ]
        )
        async def pick(interaction: discord.Interaction, game: str, loud: bool = False) -> None:
            await interaction.response.send_message(f"{game} {loud}")

        await tree.sync()


@pytest.fixture
async def bot(server):
    async with running(ManyBot(), server) as client:
        await server.bot_ready("show")
        yield client


async def test_commands_of_users_and_messages(server, bot):
    asha, bikram = server.person("asha"), server.person("bikram")
    answer = await asha.user_command("Challenge", bikram)
    assert answer.message.pinged == ["bikram"]
    said = bikram.say("one rupee")
    assert (await asha.message_command("Quote", said)).message.text == "> one rupee"


async def test_selects_of_people_and_channels(server, bot):
    asha = server.person("asha")
    shown = (await asha.slash("show")).message
    await asha.choose("Opponent", [server.person("bikram"), server.person("devi")])
    assert asha.look(shown).text == "bikram and devi"
    assert asha.look(shown).edited
    answer = await asha.choose("where", [server.world.channel("league")])
    assert answer.type == 6
    await asha.sees("league")
    assert [message.text for message in answer.followups] == ["league"]


async def test_thinking_is_waited_for(server, bot):
    asha = server.person("asha")
    await asha.slash("show")
    assert (await asha.press("Slow")).message.text == "done"
    assert (await asha.press("Slow", wait=False)).type == 5


async def test_a_file_is_handed_over(server, bot):
    answer = await server.person("asha").slash("upload", file=Upload("my hand.png", PNG, "image/png"))
    assert answer.message.text == f"{len(PNG)} bytes, 1 wide"
    assert answer.message.files[0].alt == "a copy"


async def test_choices_are_named_or_valued(server, bot):
    asha = server.person("asha")
    assert (await asha.slash("pick", game="Kitty", loud=True)).message.text == "k True"
    for bad in ({"game": "Whist"}, {}, {"game": "m", "loud": "yes"}, {"game": "m", "other": 1}):
        with pytest.raises(CannotDoError):
            await asha.slash("pick", **bad)


async def test_commands_are_offered_to_whom_they_are_meant(server, bot):
    bikram = server.person("bikram")
    assert "admin" not in bikram.commands()
    with pytest.raises(CannotDoError):
        await bikram.slash("admin")
    server.world.grant("bikram", "MANAGE_GUILD")
    assert (await bikram.slash("admin")).message.text == "yes"
    assert "admin" not in bikram.commands(bikram.dm_channel)
    assert (await bikram.slash("pick", game="m", channel=bikram.dm_channel)).message.text == "m False"


async def test_a_person_sees_only_their_own_messages(server, bot):
    asha, bikram = server.person("asha"), server.person("bikram")
    said = bikram.say("hello")
    secret = (await asha.message_command("Quote", said)).message
    assert asha.last().ephemeral
    assert bikram.last().text == "hello"
    for look in (
        lambda: bikram.look(secret),
        lambda: bikram.go(asha.dm_channel),
        lambda: bikram.messages("nowhere"),
    ):
        with pytest.raises((CannotDoError, LookupError)):
            look()
    asha.dismiss(secret)
    with pytest.raises(CannotDoError):
        asha.look(secret)
    server.world.deny("marriage", "VIEW_CHANNEL", who="bikram")
    with pytest.raises(CannotDoError):
        bikram.messages("marriage")


async def test_waiting_ends_with_what_is_seen(server, bot):
    asha = server.person("asha")
    asha.say("only this")
    with pytest.raises(TimeoutError, match="only this"):
        await asha.sees("something else", timeout=0.01)
    assert (await asha.sees(re.compile("th.s"))).author == "asha"


async def test_an_interaction_can_be_late(server, bot):
    server.interactions.late_by = 2.9
    answer = await server.person("asha").slash("pick", game="m")
    created = discord.utils.snowflake_time(answer.interaction.id)
    assert (answer.message.sent_at - created).total_seconds() > 2.8


async def test_a_fresh_thread_is_used_and_archived_threads_are_not(server, bot):
    asha = server.person("asha")
    channel = bot.get_channel(server.world.channel("marriage").id)
    thread = await channel.create_thread(name="Table 1", type=discord.ChannelType.public_thread)
    assert (await asha.go("Table 1").slash("pick", game="m")).message.text == "m False"
    await thread.edit(archived=True)
    with pytest.raises(CannotDoError):
        await asha.slash("pick", game="m")
