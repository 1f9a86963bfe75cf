"""Every panel of every phase, checked against Discord's limits as the playground implements them."""

import re

import discord
import pytest
from discord import ui
from discord.ui.select import BaseSelect

from bot.app import TipluBot
from bot.panels.table.match import ledger_panel
from bot.people import NamedPerson
from bot.table.hosting import Actor
from bot.ui import items
from bot.ui.items import ITEMS, Button, Press, Select, row
from bot.ui.panel import Panel, panel, picture_file, taken, text
from bot.words.texts import texts
from data.preferences import Terms
from marriage.rules import preset
from marriage.state import Phase
from marriage.strategy.players import GreedyPlayer
from playground.model import COMPONENTS_V2, Snowflakes, Upload
from playground.validation.components import BUTTON, SELECTS
from playground.validation.messages import Draft, check_message
from render.picture import Picture
from tests.bot.emojis import emojis_of_cards
from tests.bot.windows import move

TEMPLATES = [re.compile(value) for name, value in vars(items).items() if name.endswith("_TEMPLATE")]
NAMES = ("**" * 12, "@everyone <@1> _x_ `y` z", "देवी" * 12, "क्ष" * 12, "W" * 24)
PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)


IDS = {emoji.id for emoji in emojis_of_cards().values()}


def checked(panel: Panel) -> Draft:
    """Return the message that Discord would build from a panel; raises Refusal if it would reject it."""
    assert panel.view.timeout is None
    for item in panel.view.walk_children():
        assert not isinstance(item, ui.Button | BaseSelect), (
            "a static item makes dynamic ones of its view go dead"
        )
        assert not isinstance(item, ui.DynamicItem) or isinstance(item, ITEMS)
    uploads = {
        index: Upload(file.filename, file.fp.read(), "image/png") for index, file in enumerate(panel.files)
    }
    payload = {
        "components": panel.view.to_components(),
        "attachments": [file.to_dict(index) for index, file in enumerate(panel.files)],
        "flags": COMPONENTS_V2,
    }
    draft = check_message(payload, uploads, Snowflakes(), emojis=IDS)
    for written in custom_ids(draft.components):
        assert len([template for template in TEMPLATES if template.fullmatch(written)]) == 1, written
    return draft


def parts(components: list[dict]):
    for component in components:
        yield component
        yield from parts(component.get("components") or [])


def custom_ids(components: list[dict]) -> list[str]:
    return [part["custom_id"] for part in parts(components) if part["type"] in (BUTTON, *SELECTS)]


async def panels(bot: TipluBot, table_id: int) -> list[Draft]:
    """Return everything that a table shows now: its message and each hand."""
    snapshot = await bot.services.tables.snapshot(table_id)
    drafts = [checked(await bot.delivery.publisher.table_panel(snapshot))]
    if snapshot.public is not None:
        drafts += [
            checked(await bot.delivery.publisher.hand_panel(snapshot, seat.seat, "A note above the hand."))
            for seat in snapshot.seats
        ]
    return drafts


async def open_table(bot: TipluBot, players: int = 5) -> int:
    await bot.services.store.write(lambda db: db.guilds.keep(900))
    table_id = await bot.services.lobby.open(900, 901, NamedPerson(1, NAMES[0]), 1)
    for number, name in enumerate(NAMES[1:players], 2):
        await bot.services.lobby.join(table_id, NamedPerson(number, name), number)
    await bot.services.lobby.posted(table_id, 901, 902)
    return table_id


async def asked(bot: TipluBot, table_id: int) -> list[int]:
    """Return the seats that may act now."""
    view = (await bot.services.tables.snapshot(table_id)).public
    assert view is not None
    if view.phase is Phase.WINDOW:
        return [seat for seat, held in enumerate(view.seats) if not held.answered]
    return [view.turn]


async def play(bot: TipluBot, table_id: int, moves: int = 1_000) -> set[Phase]:
    """Let everyone play well until the deal is over, checking every panel on the way."""
    player = GreedyPlayer(count_outs=False)
    phases: set[Phase] = set()
    for number in range(moves):
        snapshot = await bot.services.tables.snapshot(table_id)
        assert snapshot.public is not None
        if snapshot.public.phase not in phases or number % 12 == 0:
            await panels(bot, table_id)
        phases.add(snapshot.public.phase)
        if snapshot.table.status != "playing":
            return phases
        seat = (await asked(bot, table_id))[0]
        assert snapshot.seats[seat].person_id is not None
        await move(bot.services, table_id, snapshot.seats[seat].person_id, player.choose)
    raise AssertionError("the deal does not end")


async def test_every_panel_of_a_deal_is_a_message_that_discord_takes(bot):
    table_id = await open_table(bot)
    await panels(bot, table_id)
    host = Actor(NamedPerson(1, NAMES[0]))
    await bot.services.hosting.set_terms(
        table_id, host, lambda _: Terms(rules=preset("kathmandu", better_after=1), deals=2), 99
    )
    await bot.services.play.start(table_id, 1, 100)
    phases = await play(bot, table_id)
    assert phases >= {Phase.WINDOW, Phase.DRAW, Phase.PLAY, Phase.CUT, Phase.OVER}
    await bot.services.play.next_deal(table_id, 1, 101)
    await panels(bot, table_id)
    for number in range(2, 6):
        await bot.services.play.next_deal(table_id, number, 100 + number)
    await bot.services.leaving.leave(table_id, 2, 110)
    await play(bot, table_id)
    await bot.services.play.rematch(table_id, 3, 111)
    drafts = await panels(bot, table_id)
    assert "mr1:rematch:" in " ".join(custom_ids(drafts[0].components))
    checked(ledger_panel(await bot.services.tables.snapshot(table_id), texts()))
    await bot.services.play.finish_table(table_id, 1)
    (closed,) = [
        checked(await bot.delivery.publisher.table_panel(await bot.services.tables.snapshot(table_id)))
    ]
    assert custom_ids(closed.components) == [
        f"mr1:replay:{table_id}:2",
        f"mr1:analyse:{table_id}:2",
        f"mr1:fair:{table_id}:0",
    ]


async def no_picture(*_) -> None:
    """Draw nothing, in place of the function that draws."""


async def test_without_pictures_everything_is_said_in_words(bot, monkeypatch):
    monkeypatch.setattr(bot.services.pictures, "_drawn_once", no_picture)
    table_id = await open_table(bot)
    await bot.services.play.start(table_id, 1, 100)
    drafts = await panels(bot, table_id)
    assert all(draft.attachments == [] for draft in drafts)
    hand = "\n".join(part.get("content", "") for part in parts(drafts[1].components))
    assert len(re.findall(r"\b(?:10|[2-9AJQK])\b", hand)) >= 21
    await play(bot, table_id)


async def test_a_table_of_two_and_of_computers(bot):
    table_id = await open_table(bot, players=1)
    for number in range(4):
        await panels(bot, table_id)
        await bot.services.hosting.add_computer(table_id, Actor(NamedPerson(1, "A")), 50 + number)
    await panels(bot, table_id)
    await bot.services.play.start(table_id, 1, 100)
    await panels(bot, table_id)


async def test_the_public_message_offers_nothing_of_a_hand(bot):
    table_id = await open_table(bot, players=2)
    await bot.services.play.start(table_id, 1, 100)
    (public, *hands) = await panels(bot, table_id)
    assert not any(part["type"] in SELECTS for part in parts(public.components))
    verbs = {custom_id.split(":")[1] for custom_id in custom_ids(public.components)}
    private = {custom_id.split(":")[1] for hand in hands for custom_id in custom_ids(hand.components)}
    assert verbs & private <= {"rules"}


def test_a_file_name_tells_pictures_apart_and_nothing_else():
    pictures = [
        Picture(PNG, "Spades 2 3", 10, 10),
        Picture(PNG, "Spades 2 4", 10, 10),
        Picture(b"", "", 1, 1),
    ]
    names = [picture_file(picture).filename for picture in pictures]
    assert len(set(names)) == len(pictures)
    assert [picture_file(picture).filename for picture in pictures] == names
    assert all(re.fullmatch(r"[0-9a-f]{16}\.png", name) for name in names)


@pytest.mark.parametrize("sign", ["x", "ष", "🂡", "ष\n"])
@pytest.mark.parametrize("number", [1, 3])
def test_texts_that_are_too_long_together_are_cut_where_discord_would_refuse_them(sign: str, number: int):
    long = panel(*(text(sign * 9_000) for _ in range(number)), text("short"))
    assert long.is_cut
    shown = [part["content"] for part in parts(checked(long).components) if "content" in part]
    assert all(line.endswith("…") for line in shown[:-1])
    assert shown[-1] == "short"
    assert sum(map(taken, shown)) > 3_900
    assert not panel(text("short")).is_cut


def test_what_is_empty_is_left_out():
    nothing_to_choose = row(Select(Press("pick-a", 1, 1), "Choose…"))
    draft = checked(panel(text(""), text("said"), text(" \n"), text(None), None, row(), nothing_to_choose))
    assert [component.get("content") for component in draft.components[0]["components"]] == ["said"]


def test_a_panel_of_nothing_is_refused():
    with pytest.raises(ValueError, match="shows something"):
        panel(text(""), row())


def test_buttons_and_selects_are_cut_to_what_discord_takes():
    press = Press("draw", 10**17, 10**17, "a" * 40)
    options = [discord.SelectOption(label="A", value="A")]
    checked(panel(row(Button(press, "x" * 200)), row(Select(Press("pick-a", 1, 1), "y" * 300, options))))
