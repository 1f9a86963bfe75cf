"""A table that waits for players: its message, its line in the list of tables, and the panel of its host.

The message says who sits there, by which rules they play, and who is ready. The host's panel, which only the host sees,
says who may sit at the table and which computers play.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import discord
from discord import ui

from bot.panels.table.more import back_to_more, computers_here, leave_button, more_button
from bot.panels.table.presence import thread_words
from bot.panels.table.rules import rules_short, rules_words
from bot.table.core.snapshot import Guest, Snapshot
from bot.table.flow.computers import level_of, rating_of, temper_of
from bot.table.hosting import SWITCHES
from bot.ui.items import (
    BLUE,
    GREEN,
    GREY,
    MOST_OPTIONS,
    Button,
    Press,
    Select,
    people_select,
    row,
    table_press,
)
from bot.ui.panel import Panel, panel, text
from bot.words.names import seat_name, shown_name, table_address
from bot.words.rules import preset_name
from bot.words.texts import Texts
from data.preferences import Level
from data.values import SeatRow, TableRow
from league.ids import PersonId
from marriage.rules import SEATS_MAX, SEATS_MIN

FIRST_PRESETS: Final = ("pagat", "kathmandu")
"""The presets offered to a server that has never chosen one."""
WITH_COMPUTERS: Final = "computers"
"""The start button's argument if one person sits alone: computers take the free seats."""


def lobby_panel(snapshot: Snapshot, texts: Texts, challenged: int | None = None) -> Panel:
    """Show the lobby to everyone; a challenged person is mentioned."""
    if not snapshot.table.kind.is_hosted:
        return _league_panel(snapshot, texts)
    table = snapshot.table
    return panel(
        text(texts("table.title", table=table.id)),
        text(_challenge(snapshot, challenged, texts)) if challenged else None,
        text(rules_words(table.rules, table.options, texts, house=_house(snapshot, texts))),
        text(_seats(snapshot, texts)),
        text(_private(snapshot, texts)) if table.kind.by_invitation else None,
        text(thread_words(snapshot, texts)),
        text(_how(snapshot, texts)),
        *(_first_question(snapshot, texts) if snapshot.asks_how else []),
        row(
            _join(snapshot, texts),
            _start(snapshot, texts),
            *([] if snapshot.asks_how else [leave_button(snapshot, texts)]),  # otherwise it is behind More
            more_button(snapshot, texts),
        ),
    )


def _first_question(snapshot: Snapshot, texts: Texts) -> list[ui.Item[Any]]:
    """Ask once how this server plays. Without an answer, a table uses the first of these presets."""
    choices = [
        Button(table_press(snapshot, "how-we-play", preset), preset_name(preset, texts), style=GREY)
        for preset in FIRST_PRESETS
    ]
    asked = texts("lobby.how_here", usual=preset_name(FIRST_PRESETS[0], texts))
    return [text(asked), row(*choices)]


def _join(snapshot: Snapshot, texts: Texts) -> Button:
    full = len(snapshot.seats) >= SEATS_MAX
    return Button(table_press(snapshot, "join"), texts("button.join"), style=GREEN, disabled=full)


def _start(snapshot: Snapshot, texts: Texts) -> Button:
    """Return the start button. A host who has invited a person does not start alone.

    It says whether computers take the free seats, so that a player who has just left is not replaced by
    accident.
    """
    alone = len(snapshot.seats) < SEATS_MIN
    press = table_press(snapshot, "start", WITH_COMPUTERS if alone else "")
    waits = alone and snapshot.table.kind.by_invitation
    return Button(press, texts("button.start"), style=BLUE, disabled=waits)


def _league_panel(snapshot: Snapshot, texts: Texts) -> Panel:
    """Show a table opened by a league, where nothing can be chosen."""
    kept = ", ".join(f"<@{guest.person.id}>" for guest in snapshot.guests_who_are("invited"))
    return panel(
        text(texts("table.title", table=snapshot.table.id)),
        text(texts("league.kept_for", names=kept)),
        text(rules_words(snapshot.table.rules, snapshot.table.options, texts)),
        text(_taken(snapshot, texts)) if snapshot.seats else None,
        text(texts("league.kept_how")),
        row(
            _join(snapshot, texts),
            Button(
                table_press(snapshot, "ready"),
                texts("button.ready"),
                style=BLUE,
                disabled=len(snapshot.seats) < SEATS_MIN,
            ),
            leave_button(snapshot, texts),
            more_button(snapshot, texts),
        ),
    )


def _taken(snapshot: Snapshot, texts: Texts) -> str:
    """Name the players who already sit here."""
    return "\n".join(
        texts("lobby.person_ready" if seat.ready else "lobby.person", place=seat.seat + 1, name=name)
        for seat, name in zip(snapshot.seats, snapshot.shown_names, strict=True)
    )


def _seats(snapshot: Snapshot, texts: Texts) -> str:
    lines: list[str] = []
    for place, name in enumerate(snapshot.shown_names):
        seat = snapshot.seats[place]
        if seat.person_id is None:
            lines.append(texts("lobby.computer", place=place + 1, name=name, how=computer_words(seat, texts)))
            continue
        if seat.person_id == snapshot.table.host_id:
            key = "lobby.host_ready" if seat.ready else "lobby.host"
        else:
            key = "lobby.person_ready" if seat.ready else "lobby.person"
        lines.append(texts(key, place=place + 1, name=name))
    free = SEATS_MAX - len(lines)
    return "\n".join([*lines, texts("lobby.seats_free", count=free)] if free else lines)


def _house(snapshot: Snapshot, texts: Texts) -> str | None:
    """Say whose house rules the table plays by."""
    host = shown_name(snapshot.host)
    return texts(f"lobby.house_{snapshot.house}", host=host) if snapshot.house else None


def _challenge(snapshot: Snapshot, challenged: int, texts: Texts) -> str:
    return texts("lobby.challenge", challenged=challenged, host=shown_name(snapshot.host))


def _private(snapshot: Snapshot, texts: Texts) -> str:
    names = [shown_name(guest.name) for guest in snapshot.guests_who_are("invited")]
    return texts("lobby.private", names=", ".join(names)) if names else texts("lobby.private_nobody")


def _how(snapshot: Snapshot, texts: Texts) -> str:
    """Say what is still missing, and when the table closes without it."""
    lines = [_missing(snapshot, texts)]
    if snapshot.expires_at is not None:
        lines.append(texts("lobby.expires", at=snapshot.expires_at))
    return "\n".join(lines)


def _missing(snapshot: Snapshot, texts: Texts) -> str:
    if len(snapshot.seats) < SEATS_MIN:
        return texts("lobby.how_private" if snapshot.table.kind.by_invitation else "lobby.how_alone")
    people = [seat for seat in snapshot.seats if seat.person_id is not None]
    return texts("lobby.how" if len(people) > 1 else "lobby.how_computers", host=shown_name(snapshot.host))


MOST_TABLES = 15
"""The maximum number of tables to show."""


def tables_panel(tables: Sequence[Snapshot], count: int, person_id: PersonId, texts: Texts) -> Panel:
    """List the tables, each with a link. There are `count` of them, possibly more than are shown."""
    mine = [table for table in tables if table.has_place(person_id)]
    rest = [table for table in tables if table not in mine]
    lines = [texts("tables.own", line=_table_line(table, person_id, texts)) for table in mine]
    lines += [_table_line(table, person_id, texts) for table in rest]
    if count > len(tables):
        lines.append(texts("tables.more", count=count - len(tables)))
    return panel(
        text(texts("tables.title")),
        text("\n".join(lines) or texts("tables.none")),
        text(texts("tables.how")) if any(table.has_room_for(person_id) for table in rest) else None,
    )


def _table_line(snapshot: Snapshot, person_id: PersonId, texts: Texts) -> str:
    """Describe one table; once play has begun, say whether this person may sit down for the next deal."""
    table = snapshot.table
    return texts(
        "tables.line" if table.status == "lobby" else "tables.begun",
        table=table.id,
        link=table_address(table),
        channel=table.place_id,
        status=texts(f"status.{table.status}", deal=table.deal_no),
        seats=len(snapshot.seats),
        most=SEATS_MAX,
        rules=rules_short(table.rules, texts),
        place=texts("tables.place") if snapshot.has_room_for(person_id) else "",
        private=texts("tables.private") if table.kind.by_invitation else "",
        host=_host_name(snapshot, texts),
    )


def _host_name(snapshot: Snapshot, texts: Texts) -> str:
    """Name the host of the table. Tables of a league have none."""
    if snapshot.table.kind.is_hosted:
        return texts("tables.host", host=shown_name(snapshot.host))
    return texts("tables.league")


def rated_level(level: Level, texts: Texts) -> str:
    """Name a level with its rating."""
    return texts("level.rated", level=texts(f"level.{level}"), rating=rating_of(level))


def computer_words(seat: SeatRow, texts: Texts) -> str:
    """Describe the computer at this seat: its level and rating, and its temper in a word if it has one."""
    temper = temper_of(seat)
    words = rated_level(level_of(seat), texts)
    return words if temper is None else texts("temper.beside", level=words, temper=texts(f"temper.{temper}"))


def computers_line(snapshot: Snapshot, texts: Texts) -> str | None:
    """Name the computers among the players with their kinds; None without computers."""
    computers = [
        texts("table.computer", name=name, how=computer_words(seat, texts))
        for seat, name in zip(snapshot.seats, snapshot.shown_names, strict=True)
        if seat.person_id is None
    ]
    return texts("table.computers", computers=" · ".join(computers)) if computers else None


MOST_INVITED = 10


def manage_panel(snapshot: Snapshot, texts: Texts, note: str | None = None) -> Panel:
    """Show what the host may do. `note` says what they have just done."""
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
    """Mention the invited people. The message names no one; its link leads to the table's current place."""
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
    return _level_choice(snapshot, "pick-kick", seated, texts)


def _guests(snapshot: Snapshot, texts: Texts) -> list[ui.ActionRow[Any]]:
    return [
        row(people_select(table_press(snapshot, "pick-invite"), texts("manage.invite"), MOST_INVITED)),
        *_level_choice(snapshot, "pick-uninvite", _guest_options(snapshot.guests_who_are("invited")), texts),
        row(people_select(table_press(snapshot, "pick-block"), texts("manage.block"))),
        *_level_choice(snapshot, "pick-unblock", _guest_options(snapshot.guests_who_are("blocked")), texts),
    ]


def _guest_options(guests: Iterable[Guest]) -> list[discord.SelectOption]:
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
        *_level_choice(snapshot, "pick-computer", levels, texts, computers_here(snapshot)),
        *_level_choice(snapshot, "pick-remove", here, texts),
    ]


def _level_choice(
    snapshot: Snapshot, verb: str, options: list[discord.SelectOption], texts: Texts, argument: str = ""
) -> list[ui.ActionRow[Any]]:
    """Return a row with a select, or none if there is nothing to choose."""
    if not options:
        return []
    placeholder = texts(f"manage.{verb.removeprefix('pick-')}")
    return [row(Select(table_press(snapshot, verb, argument), placeholder, options[:MOST_OPTIONS]))]


def _switch(snapshot: Snapshot, option: str, texts: Texts) -> Button:
    """Return a switch that shows its state; the argument of its press ends with the new state."""
    on = bool(getattr(snapshot.table.options, option))
    press = table_press(snapshot, "switch", f"{option}-{'off' if on else 'on'}")
    return Button(press, texts(f"manage.{option}_{'on' if on else 'off'}"), style=GREEN if on else GREY)
