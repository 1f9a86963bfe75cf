"""The host's panel: who may sit at the table, and which computers play. Only the host sees it."""

from collections.abc import Iterable
from typing import Any

import discord
from discord import ui

from bot.panels.table.computers import computer_words, rated_level
from bot.panels.table.more import back_to_more
from bot.table.core.snapshot import Guest, Snapshot
from bot.table.hosting import SWITCHES
from bot.ui.custom_id import Press
from bot.ui.items import GREEN, GREY, MOST_OPTIONS, Button, Select, people_select, row, table_press
from bot.ui.panel import Panel, panel, text
from bot.words.names import seat_name, table_address
from bot.words.texts import Texts
from data.preferences import Level
from data.values import TableRow
from league.ids import PersonId
from marriage.rules import SEATS_MAX

MOST_INVITED = 10


def manage_panel(snapshot: Snapshot, texts: Texts, note: str | None = None) -> Panel:
    """What the host may do. `note` says what they have just done."""
    waits = snapshot.table.status == "lobby"
    title = "manage.title" if waits else "manage.title_begun"
    return panel(
        text(f"> {note}") if note else None,
        text(texts(title, table=snapshot.table.id)),
        *(_seated(snapshot, texts) if waits else []),
        *_guests(snapshot, texts),
        *(_computers(snapshot, texts) if waits else []),
        row(*(_switch(snapshot, option, texts) for option in SWITCHES)) if waits else None,
        row(back_to_more(snapshot, texts)),
    )


def invitation_panel(table: TableRow, people: Iterable[PersonId], texts: Texts) -> Panel:
    """Mention the invited people. It names nobody, and its link leads to the table's present place."""
    mentions = ", ".join(f"<@{person}>" for person in people)
    said = texts("manage.invitation", people=mentions, table=table.id, link=table_address(table))
    join = Button(Press("accept", table.id, table.revision), texts("button.join"), style=GREEN)
    return panel(text(said), row(join))


def _seated(snapshot: Snapshot, texts: Texts) -> list[ui.ActionRow[Any]]:
    seated = [
        discord.SelectOption(label=seat.name, value=str(seat.person_id))
        for seat in snapshot.seats
        if seat.person_id not in {None, snapshot.table.host_id}
    ]
    return _choice(snapshot, "pick-kick", seated, texts)


def _guests(snapshot: Snapshot, texts: Texts) -> list[ui.ActionRow[Any]]:
    return [
        row(people_select(table_press(snapshot, "pick-invite"), texts("manage.invite"), MOST_INVITED)),
        *_choice(snapshot, "pick-uninvite", _options(snapshot.guests_who_are("invited")), texts),
        row(people_select(table_press(snapshot, "pick-block"), texts("manage.block"))),
        *_choice(snapshot, "pick-unblock", _options(snapshot.guests_who_are("blocked")), texts),
    ]


def _options(guests: Iterable[Guest]) -> list[discord.SelectOption]:
    return [discord.SelectOption(label=guest.name, value=str(guest.person.id)) for guest in guests]


def _computers(snapshot: Snapshot, texts: Texts) -> list[ui.Item[Any]]:
    levels = [
        discord.SelectOption(
            label=rated_level(level, texts), value=level, description=texts(f"level.{level}_hint")
        )
        for level in Level
        if len(snapshot.seats) < SEATS_MAX
    ]
    here = [
        discord.SelectOption(
            label=seat_name(None, seat.name), value=seat.name, description=computer_words(seat, texts)
        )
        for seat in snapshot.seats
        if seat.person_id is None
    ]
    return [
        *([text(texts("manage.ratings"))] if levels else []),
        *_choice(snapshot, "pick-computer", levels, texts),
        *_choice(snapshot, "pick-remove", here, texts),
    ]


def _choice(
    snapshot: Snapshot, verb: str, options: list[discord.SelectOption], texts: Texts
) -> list[ui.ActionRow[Any]]:
    """A row with a select, or none when there is nothing to choose."""
    if not options:
        return []
    placeholder = texts(f"manage.{verb.removeprefix('pick-')}")
    return [row(Select(table_press(snapshot, verb), placeholder, options[:MOST_OPTIONS]))]


def _switch(snapshot: Snapshot, option: str, texts: Texts) -> Button:
    on = bool(getattr(snapshot.table.options, option))
    press = table_press(snapshot, "switch", option)
    return Button(press, texts(f"manage.{option}_{'on' if on else 'off'}"), style=GREEN if on else GREY)
