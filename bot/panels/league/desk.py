"""The organiser's desk: what needs the attention of a league's staff, and the act that mends each of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import discord

from bot.league.agenda import pod_due_at, steps
from bot.league.season_view import SeasonView
from bot.panels.league.events import totals_words
from bot.panels.pages import page_of
from bot.ui.custom_id import Press
from bot.ui.form import field
from bot.ui.items import BLUE, GREEN, MOST_OPTIONS, Button, Select, row
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts
from league.results import Player
from league.season import Pod
from league.times import DAY

POD: Final = "pod"
PLAYER: Final = "player"
_STEPS: Final = {
    "check_in": "check_in",
    "remind_in": "reminders",
    "remind_play": "reminders",
    "draw": "draw",
    "due": "due",
    "stop": "stop",
    "settled": "holds",
    "time": "reminders",
    "missing": "begins",
    "start": "begins",
    "report": "report",
    "dispute": "call",
    "end": "end",
}
"""The words for each step of the calendar."""


@dataclass(frozen=True, slots=True)
class Matter:
    """Something that needs attention: what is said of it, and what it is about."""

    kind: str
    """`POD` or `PLAYER`."""
    number: int
    words: str
    label: str
    """The same for a menu, as plain text."""


def matters(view: SeasonView, texts: Texts) -> list[Matter]:
    """All that needs attention, the most urgent first: disputes, matches to play, players who are silent or out of reach."""
    waiting = sorted(
        (pod for pod in view.season.pods.values() if not pod.over),
        key=lambda pod: (not pod.is_disputed, pod_due_at(view.row, view.season, pod), pod.id),
    )
    return [*(_of_pod(view, pod, texts) for pod in waiting), *_of_players(view, waiting, texts)]


def _of_pod(view: SeasonView, pod: Pod, texts: Texts) -> Matter:
    table, due = view.tables.get(pod.id), pod_due_at(view.row, view.season, pod)
    names = view.names(pod.players)
    if pod.report is not None and pod.report.against is not None:
        key = "desk.disputed"
        names, due = view.name(pod.report.against), pod.report.due
    elif table is not None and table.status == "closed":
        key = "desk.closed_table"
    elif pod.table is not None:
        key = "desk.playing"
    elif pod.report is not None:
        key = "desk.reported"
        due = pod.report.due
    else:
        key = "desk.timed" if pod.id in view.times else "desk.untimed"
    label = texts("desk.pod_label", pod=pod.id, names=", ".join(map(view.plain_name, pod.players)))
    return Matter(POD, pod.id, texts(key, pod=pod.id, names=names, at=due), label)


def _of_players(view: SeasonView, waiting: Sequence[Pod], texts: Texts) -> Iterator[Matter]:
    silent = {
        player: pod
        for pod in waiting
        if pod.table is None and pod.report is None
        for player in _silent(view, pod)
    }
    for member in view.season.members.values():
        person = view.people.get(member.player)
        if member.is_gone or person is None:
            continue
        name, label = view.name(member.player), view.plain_name(member.player)
        if member.player in silent:
            said = texts("desk.silent", name=name, pod=silent[member.player].id)
            yield Matter(PLAYER, member.player, said, label)
        elif not person.dms_open:
            yield Matter(PLAYER, member.player, texts("desk.unreachable", name=name), label)


def _silent(view: SeasonView, pod: Pod) -> set[Player]:
    """Who has not answered a proposed time, or shortly before the deadline has named none."""
    time = view.times.get(pod.id)
    expected = {
        player for player in pod.expected if player not in pod.missed and not view.season.has_left(player)
    }
    if time is not None:
        return expected - set(time.proposal.agreed)
    return expected if pod_due_at(view.row, view.season, pod) - view.now < DAY else set()


def desk_panel(view: SeasonView, texts: Texts) -> Panel:
    """What comes next by itself, all that needs attention with a menu to see to it, and the acts of the whole league."""
    found = matters(view, texts)
    asking = sum(member.status == "asking" for member in view.season.members.values())
    page = page_of([matter.words for matter in found], 0)
    options = [
        discord.SelectOption(label=matter.label[:100], value=f"{matter.kind}-{matter.number}")
        for matter in found[:MOST_OPTIONS]
    ]
    pick = Press("pick-desk", view.row.id, 0)
    return panel(
        text(texts("desk.title", league=view.title)),
        text(_next_step(view, texts)),
        text("\n".join(page.lines) or texts("desk.nothing")),
        text(texts("list.and_more", count=page.rest)) if page.rest else None,
        text(texts("desk.asking", count=asking)) if asking else None,
        row(Select(pick, texts("desk.pick"), options)) if options else None,
        row(*_acts_of_league(view, texts)),
        text(texts("desk.note")),
    )


def _acts_of_league(view: SeasonView, texts: Texts) -> list[Button]:
    members = Button(Press("league-members", view.row.id, 0), texts("desk.members"))
    again = Button(Press("desk", view.row.id, 0), texts("desk.refresh"))
    if view.row.closed_at is not None or not view.season.settings.format.has_draw:
        return [members, again]
    if view.season.paused_at is not None:
        return [Button(_act(view, 0, "resume"), texts("desk.resume")), members, again]
    return [
        Button(Press("desk-draw", view.row.id, 0), texts("desk.draw"), style=BLUE),
        Button(_act(view, 0, "extend"), texts("desk.extend")),
        Button(_act(view, 0, "pause"), texts("desk.pause")),
        members,
        again,
    ]


def _next_step(view: SeasonView, texts: Texts) -> str:
    if view.row.closed_at is not None:
        return texts("desk.over")
    if view.season.paused_at is not None:
        return texts("desk.is_paused", at=view.season.paused_at)
    coming = steps(view.row, view.season, view.times.values())
    step = next((step for step in coming if step.at > max(view.row.acted_until, view.now)), None)
    if step is None:
        return texts("desk.no_step")
    return texts(f"desk.next_{_STEPS[step.what]}", at=step.at, round=step.round, pod=step.pod)


def matter_panel(view: SeasonView, kind: str, number: int, texts: Texts) -> Panel | None:
    """One matter with the acts that can mend it; None if there is nothing any more."""
    found = next(
        (matter for matter in matters(view, texts) if (matter.kind, matter.number) == (kind, number)), None
    )
    if found is None:
        return None
    pod = view.season.pods.get(number) if kind == POD else None
    report = pod.report if pod else None
    back = Button(Press("desk", view.row.id, 0), texts("desk.back"))
    return panel(
        text(found.words),
        text(totals_words(view, report.result, texts)) if report else None,
        text(texts("desk.more_pod" if pod else "desk.more_player")),
        row(*(_acts_of_pod(view, pod, texts) if pod else _acts_of_player(view, number, texts)), back),
    )


def _acts_of_pod(view: SeasonView, pod: Pod, texts: Texts) -> list[Button]:
    table = view.tables.get(pod.id)
    acts: list[Button] = []
    if pod.report is not None:
        acts.append(Button(_act(view, pod.id, "accept"), texts("desk.accept"), style=GREEN))
    if table is not None and table.status == "closed":
        acts.append(Button(_act(view, pod.id, "reopen"), texts("desk.reopen"), style=GREEN))
    if pod.table is None:
        acts.append(Button(_act(view, pod.id, "average"), texts("desk.average")))
    return acts


def _acts_of_player(view: SeasonView, player: Player, texts: Texts) -> list[Button]:
    return [
        Button(_act(view, player, "withdraw"), texts("desk.withdraw")),
        Button(_act(view, player, "ban"), texts("desk.ban")),
    ]


def _act(view: SeasonView, number: int, act: str) -> Press:
    return Press("desk-act", view.row.id, number, act)


def reason_field(texts: Texts) -> discord.ui.Label[discord.ui.LayoutView]:
    """The field of the form that asks why."""
    return field(texts("desk.reason"), discord.ui.TextInput(custom_id="reason", min_length=3, max_length=200))
