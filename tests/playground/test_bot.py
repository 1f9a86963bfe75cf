"""The real discord.py against the playground, over HTTP and WebSocket."""

import asyncio
import io

import discord
import pytest
from discord import app_commands, ui

from playground import message_objects
from playground.person import CannotDoError, NotAnsweredError
from tests.playground.client import QuickBot, running

PNG = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\6\0\0\0\x1f\x15\xc4\x89\0\0\0\nIDATx\x9cc\0\1\0\0\5\0\1\r\n-\xb4"
    b"\0\0\0\0IEND\xaeB`\x82"
)


class Table(ui.LayoutView):
    """A view registered before it is sent, since discord.py dispatches presses only after Discord has answered."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.pressed = 0
        self.form_is_open = asyncio.Event()
        self.heading = ui.TextDisplay("Table 1: nobody has pressed")
        box = ui.Container(self.heading, accent_colour=0x336699)
        join = ui.Button(label="Join", emoji="🃏", custom_id="t:join", style=discord.ButtonStyle.primary)
        join.callback = self.join
        closed = ui.Button(label="Closed", custom_id="t:closed", disabled=True)
        rules = ui.Button(label="Rules", custom_id="t:rules")
        rules.callback = self.rules
        box.add_item(ui.ActionRow(join, closed, rules))
        hand = ui.Select(
            custom_id="t:hand",
            placeholder="Your hand",
            min_values=1,
            max_values=2,
            options=[discord.SelectOption(label=f"{face} of spades", value=f"card-{face}") for face in "234"],
        )
        hand.callback = self.chosen
        self.hand = hand
        box.add_item(ui.ActionRow(hand))
        self.add_item(box)

    async def join(self, interaction: discord.Interaction) -> None:
        self.pressed += 1
        self.heading.content = f"Table 1: pressed {self.pressed} times"
        await interaction.response.edit_message(view=self)

    async def chosen(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"You chose {', '.join(self.hand.values)}", ephemeral=True)

    async def rules(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(RulesForm())
        self.form_is_open.set()


class RulesForm(ui.Modal, title="Rules"):
    points = ui.Label(text="Points", component=ui.TextInput(custom_id="points", default="100", max_length=4))
    preset = ui.Label(
        text="Preset",
        component=ui.RadioGroup(
            custom_id="preset",
            options=[
                discord.RadioGroupOption(label="Murder", value="m"),
                discord.RadioGroupOption(label="Kidnap", value="k"),
            ],
        ),
    )
    dublee = ui.Label(text="Dublee", component=ui.Checkbox(custom_id="dublee"))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        parts = [self.points.component.value, self.preset.component.value, self.dublee.component.value]
        await interaction.response.send_message(f"Rules: {parts}", ephemeral=True)


class TableBot(QuickBot):
    async def setup_hook(self) -> None:
        self.table = Table()
        self.add_view(self.table)
        group = app_commands.Group(name="marriage", description="Marriage")

        @group.command(name="play", description="Open a table")
        @app_commands.describe(seats="How many seats")
        async def play(interaction: discord.Interaction, seats: app_commands.Range[int, 2, 5] = 4) -> None:
            await interaction.response.send_message(view=self.table)

        @group.command(name="hand", description="Show a hand")
        async def hand(interaction: discord.Interaction) -> None:
            await interaction.response.defer(ephemeral=True, thinking=True)
            view = ui.LayoutView(timeout=None)
            view.add_item(ui.TextDisplay("Your hand"))
            view.add_item(
                ui.MediaGallery(discord.MediaGalleryItem("attachment://h.png", description="2♠ 3♠"))
            )
            await interaction.edit_original_response(
                view=view, attachments=[discord.File(io.BytesIO(PNG), "h.png")]
            )

        @group.command(name="dm", description="Send a DM")
        async def dm(interaction: discord.Interaction) -> None:
            try:
                await interaction.user.send(
                    "In private", file=discord.File(io.BytesIO(PNG), "p.png", description="a dot")
                )
            except discord.Forbidden as error:
                await interaction.response.send_message(f"closed: {error.code}", ephemeral=True)
            else:
                await interaction.response.send_message("sent", ephemeral=True)

        @group.command(name="join", description="Join a table")
        async def join(
            interaction: discord.Interaction, table: str, who: discord.Member | None = None
        ) -> None:
            await interaction.response.send_message(f"joined {table} with {who}")

        @join.autocomplete("table")
        async def tables(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
            return [
                app_commands.Choice(name=name, value=name)
                for name in ("chandra", "devi")
                if name.startswith(current)
            ]

        self.tree.add_command(group)
        await self.tree.sync()


@pytest.fixture
async def bot(server):
    async with running(TableBot(), server) as client:
        await server.bot_ready("marriage")
        yield client


async def test_a_slash_command_posts_a_table_that_answers_presses(server, bot):
    asha, bikram = server.person("asha"), server.person("bikram")
    answer = await asha.slash("marriage play", seats=3)
    assert answer.type == 4
    assert answer.message.text == "Table 1: nobody has pressed"
    told = message_objects.message(server.world, answer.message.message)["interaction"]
    assert (told["type"], told["name"]) == (2, "marriage play")
    await bikram.press("Join")
    await asha.press("🃏 Join")
    assert bikram.last().text == "Table 1: pressed 2 times"
    with pytest.raises(CannotDoError):
        await bikram.press("Closed")


async def test_a_select_answers_in_private(server, bot):
    asha, bikram = server.person("asha"), server.person("bikram")
    await asha.slash("marriage play")
    answer = await asha.choose("Your hand", ["2 of spades", "card-4"])
    assert answer.message.ephemeral
    assert answer.message.text == "You chose card-2, card-4"
    assert asha.find("You chose")
    assert not bikram.find("You chose")
    with pytest.raises(CannotDoError):
        await asha.choose("Your hand", ["2 of spades", "3 of spades", "4 of spades"])


async def test_a_form_is_opened_filled_in_and_answered(server, bot):
    asha = server.person("asha")
    await asha.slash("marriage play")
    await asha.press("Rules")
    await bot.table.form_is_open.wait()
    assert asha.form["title"] == "Rules"
    with pytest.raises(CannotDoError):
        await asha.submit({"Points": "100000", "Preset": "m"})
    answer = await asha.submit({"Preset": "Kidnap", "dublee": True})
    assert answer.message.text == "Rules: ['100', 'k', True]"


async def test_a_deferred_answer_is_completed_with_a_picture(server, bot):
    asha = server.person("asha")
    answer = await asha.slash("marriage hand")
    assert answer.message.ephemeral
    assert answer.message.files[0].alt == "2♠ 3♠"
    assert answer.message.files[0].content == PNG


async def test_a_dm_arrives_unless_it_is_closed(server, bot):
    asha = server.person("asha")
    assert (await asha.slash("marriage dm")).message.text == "sent"
    assert asha.dm()[-1].files[0].alt == "a dot"
    asha.close_dms()
    assert (await asha.slash("marriage dm")).message.text == "closed: 50007"


async def test_autocomplete_and_a_user_option(server, bot):
    asha = server.person("asha")
    assert await asha.autocomplete("marriage join", focused="table", table="ch") == [
        {"name": "chandra", "value": "chandra"}
    ]
    answer = await asha.slash("marriage join", table="chandra", who=server.person("devi"))
    assert "devi" in answer.message.text


async def test_an_unanswered_press_fails_in_the_persons_eyes(server, bot):
    asha = server.person("asha")
    await asha.slash("marriage play")
    server.interactions.deadline = 0.05
    server.gateway.sessions.clear()
    with pytest.raises(NotAnsweredError):
        await asha.press("Join")
