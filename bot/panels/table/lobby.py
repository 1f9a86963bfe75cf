"""The table message before the first deal: who sits there, the rules, and who is ready."""

from typing import Any, Final

from discord import ui

from bot.panels.table.computers import computer_words
from bot.panels.table.more import leave_button, more_button
from bot.panels.table.presence import thread_words
from bot.panels.table.rules_text import rules_words
from bot.table.core.snapshot import Snapshot
from bot.ui.items import BLUE, GREEN, GREY, Button, row, table_press
from bot.ui.panel import Panel, panel, text
from bot.words.names import shown_name
from bot.words.presets import preset_name
from bot.words.texts import Texts
from marriage.rules import SEATS_MAX, SEATS_MIN

FIRST_PRESETS: Final = ("pagat", "kathmandu")
"""The presets that a server which has never chosen is asked about."""
WITH_COMPUTERS: Final = "computers"
"""The argument of the start button if one person sits alone: computers take the free seats."""


def lobby_panel(snapshot: Snapshot, texts: Texts, challenged: int | None = None) -> Panel:
    """The lobby as everybody sees it; a challenged person is mentioned."""
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
            *([] if snapshot.asks_how else [leave_button(snapshot, texts)]),  # else it is behind More
            more_button(snapshot, texts),
        ),
    )


def _first_question(snapshot: Snapshot, texts: Texts) -> list[ui.Item[Any]]:
    """The question how this server plays, asked once. Without an answer a table plays by the first of these presets."""
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
    """The start button. A host who has invited a person does not begin alone.

    It says whether computers take the free seats, so that a player who has just left is not replaced by
    accident.
    """
    alone = len(snapshot.seats) < SEATS_MIN
    press = table_press(snapshot, "start", WITH_COMPUTERS if alone else "")
    waits = alone and snapshot.table.kind.by_invitation
    return Button(press, texts("button.start"), style=BLUE, disabled=waits)


def _league_panel(snapshot: Snapshot, texts: Texts) -> Panel:
    """A table opened by a league, where nothing can be chosen."""
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
