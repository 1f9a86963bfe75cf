"""The organiser's desk: what needs the attention of a league's staff, the acts that resolve it, and the problems that they can fix."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import discord
from discord import ui

from bot.errors import UnexpectedInputError
from bot.interactions.permissions import (
    missing_for_posts,
    missing_for_thread,
    missing_permissions,
    permission_words,
    post_words,
)
from bot.league.agenda import pod_due_at, steps
from bot.league.reports import prefilled
from bot.league.ruling_events import MOST_CONDUCT, MOST_POINTS, is_touched, takes_substitutes
from bot.league.season import SeasonView
from bot.panels.league.pods import pod_result
from bot.panels.league.words import totals_words
from bot.panels.pages import listed, page_of
from bot.ui.items import BLUE, GREEN, MOST_OPTIONS, Button, Press, Select, field, in_rows, people_select, row
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts
from league.results import Player
from league.rulings import is_limited
from league.season import Pod
from league.times import DAY

Fields = list[ui.Label[Any]]

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
    """Something that needs attention: its text and its subject."""

    kind: str
    """`POD` or `PLAYER`."""
    number: int
    words: str
    label: str
    """The same text for a menu, as plain text."""


def matters(view: SeasonView, texts: Texts) -> list[Matter]:
    """Return everything that needs attention, the most urgent first: disputes, matches to play, silent or unreachable players."""
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
    """Return the players who have not answered a proposed time, or have named none shortly before the deadline."""
    time = view.times.get(pod.id)
    expected = {
        player for player in pod.expected if player not in pod.missed and not view.season.has_left(player)
    }
    if time is not None:
        return expected - set(time.proposal.agreed)
    return expected if pod_due_at(view.row, view.season, pod) - view.now < DAY else set()


def desk_panel(view: SeasonView, texts: Texts) -> Panel:
    """Show the next automatic steps, a menu of everything that needs attention, and the league's actions."""
    found = matters(view, texts)
    asking = sum(member.status == "asking" for member in view.season.members.values())
    page = page_of([matter.words for matter in found], 0)
    options = [
        discord.SelectOption(label=matter.label[:100], value=f"{matter.kind}-{matter.number}")
        for matter in found[:MOST_OPTIONS]
    ]
    pick = Press("pick-desk", view.row.id, 0)
    anybody = people_select(Press("pick-desk-person", view.row.id, 0), texts("desk.pick_person"))
    return panel(
        text(texts("desk.title", league=view.title)),
        text(_next_step(view, texts)),
        text("\n".join(page.lines) or texts("desk.nothing")),
        text(texts("list.and_more", count=page.rest)) if page.rest else None,
        text(texts("desk.asking", count=asking)) if asking else None,
        row(Select(pick, texts("desk.pick"), options)) if options else None,
        row(anybody),
        *in_rows(_acts_of_league(view, texts)),
        text(texts("desk.note")),
    )


def _acts_of_league(view: SeasonView, texts: Texts) -> list[Button]:
    members = Button(Press("league-members", view.row.id, 0), texts("desk.members"))
    again = Button(Press("desk", view.row.id, 0), texts("desk.refresh"))
    match = Button(_act(view, 0, "match"), texts("desk.match"), disabled=not view.season.pods)
    if view.row.closed_at is not None:
        return [members, match, again]
    always = [
        members,
        Button(_act(view, 0, "add-somebody"), texts("desk.add_somebody")),
        Button(_act(view, 0, "write-some"), texts("desk.write_some")),
        match,
        again,
    ]
    if not view.season.settings.format.has_draw:
        return always
    if view.season.paused_at is not None:
        return [Button(_act(view, 0, "resume"), texts("desk.resume")), *always]
    return [
        Button(Press("desk-draw", view.row.id, 0), texts("desk.draw"), style=BLUE),
        Button(_act(view, 0, "redraw"), texts("desk.redraw"), disabled=not view.season.drawn),
        Button(_act(view, 0, "extend"), texts("desk.extend")),
        Button(_act(view, 0, "pause"), texts("desk.pause")),
        *always,
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
    """Show a pod or a player with the actions that apply to it; None if it does not exist."""
    pod = view.season.pods.get(number) if kind == POD else None
    member = view.season.members.get(number) if kind == PLAYER else None
    if pod is None and member is None:
        return None
    found = next(
        (found for found in matters(view, texts) if (found.kind, found.number) == (kind, number)), None
    )
    report = pod.report if pod else None
    said = found.words if found else _of_no_concern(view, pod, number, texts)
    acts = _acts_of_pod(view, pod, texts) if pod else _acts_of_player(view, number, texts)
    back = Button(Press("desk", view.row.id, 0), texts("desk.back"))
    return panel(
        text(said),
        text(totals_words(view, report.result, texts)) if report else None,
        *in_rows([*acts, back]),
        text(texts("desk.note")),
    )


def _of_no_concern(view: SeasonView, pod: Pod | None, player: Player, texts: Texts) -> str:
    """Describe a pod or a player that needs no attention."""
    if pod is not None:
        return texts("desk.pod_over", pod=pod.id, result=pod_result(view, pod, texts))
    member = view.season.members[player]
    standing = "gone" if member.is_gone else "in" if member.plays else member.status
    division = texts("desk.of_division", division=member.division) if member.division else ""
    return texts(
        "desk.player", name=view.name(player), what=texts(f"league.person_{standing}"), division=division
    )


def _acts_of_pod(view: SeasonView, pod: Pod, texts: Texts) -> list[Button]:
    table = view.tables.get(pod.id)
    acts: list[Button] = []
    if pod.report is not None and not pod.over:
        acts.append(Button(_act(view, pod.id, "accept"), texts("desk.accept"), style=GREEN))
    if table is not None and table.status == "closed" and not pod.over:
        acts.append(Button(_act(view, pod.id, "reopen"), texts("desk.reopen"), style=GREEN))
    if pod.table is None and pod.result is None:
        acts.append(Button(_act(view, pod.id, "rule"), texts("desk.rule")))
    acts.append(Button(_act(view, pod.id, "enter"), texts("desk.enter")))
    if takes_substitutes(pod):
        acts.append(Button(_act(view, pod.id, "substitute"), texts("desk.substitute")))
    if not is_touched(pod) and not pod.stage:
        acts.append(Button(_act(view, pod.id, "move"), texts("desk.move")))
    return acts


def _acts_of_player(view: SeasonView, player: Player, texts: Texts) -> list[Button]:
    member, season = view.season.members[player], view.season
    points = Button(_act(view, player, "points"), texts("desk.points"))
    if member.is_gone:
        banned = player in season.banned
        return [points] if banned else [Button(_act(view, player, "add"), texts("desk.add")), points]
    acts = [
        Button(_act(view, player, "write"), texts("desk.write")),
        points,
        Button(_act(view, player, "withdraw"), texts("desk.withdraw")),
        Button(_act(view, player, "ban"), texts("desk.ban")),
    ]
    if not season.drawn and season.settings.format.has_draw:
        acts.insert(0, Button(_act(view, player, "seed"), texts("desk.seed")))
    own = [pod for pod in season.pods.values() if player in pod.players]
    if not all(map(is_touched, own)):
        acts.insert(0, Button(_act(view, player, "move-player"), texts("desk.move")))
    if any(map(takes_substitutes, own)):
        acts.insert(0, Button(_act(view, player, "substitute-player"), texts("desk.substitute")))
    if member.status == "asking":
        approve = Press("league-approve", view.row.id, player)
        acts.insert(0, Button(approve, texts("desk.approve"), style=GREEN))
    elif not member.plays:
        acts.insert(0, Button(_act(view, player, "add"), texts("desk.add"), style=GREEN))
    return acts


def _act(view: SeasonView, number: int, act: str) -> Press:
    return Press("desk-act", view.row.id, number, act)


WHOM: Final = ("all", "to_play", "standing_by", "named")
"""The groups that staff can write to: all, those with a match to play, the waiting list, named people."""
LONGEST_MESSAGE: Final = 1_000
_MOST_NAMED: Final = 25


def written_to(view: SeasonView, whom: str) -> list[Player]:
    """Return the players of one of these groups; raises UnexpectedInputError for another word."""
    members = [member for member in view.season.members.values() if not member.is_gone]
    match whom:
        case "all":
            return [member.player for member in members]
        case "to_play":
            waiting = [pod for pod in view.season.pods.values() if not pod.over and pod.table is None]
            return sorted({player for pod in waiting for player in pod.expected})
        case "standing_by":
            return [member.player for member in members if member.status == "waiting"]
        case "named":
            return []
        case _:
            raise UnexpectedInputError("no such group")


def act_name(act: str, texts: Texts) -> str:
    """Return the name of an action of the desk."""
    return texts(f"desk.{act.removesuffix('-player').replace('-', '_')}")


def act_fields(view: SeasonView, act: str, number: int, texts: Texts) -> Fields:
    """Return the fields of an action's form; raises UnexpectedInputError for an unknown action."""
    pod = view.season.pods.get(number)
    asks: Mapping[str, Callable[[], Fields]] = {
        "match": lambda: [_typed("pod", 4, "desk.form_pod", texts)],
        "rule": lambda: [_of_pod_players(view, pod, "missing", "desk.form_missing", texts, least=0)],
        "enter": lambda: [
            _deals(view, pod, texts),
            _of_pod_players(view, pod, "missing", "desk.form_missing", texts, least=0),
        ],
        "substitute": lambda: [
            _of_pod_players(view, pod, "player", "desk.form_whose", texts),
            _people("desk.form_substitute", texts),
        ],
        "substitute-player": lambda: [_people("desk.form_substitute", texts)],
        "move": lambda: [
            _of_pod_players(view, pod, "player", "desk.form_mover", texts),
            *_where(texts),
        ],
        "move-player": lambda: _where(texts),
        "points": lambda: [
            _typed("points", 4, "desk.form_points", texts, most=MOST_POINTS // 100),
            _typed("conduct", 2, "desk.form_conduct", texts, required=False, most=MOST_CONDUCT),
        ],
        "seed": lambda: [_typed("seed", 3, "desk.form_seed", texts)],
        "add-somebody": lambda: [_people("desk.form_who", texts)],
        "write": lambda: [_message(texts)],
        "write-some": lambda: [
            _whom(texts),
            _people("desk.form_named", texts, most=_MOST_NAMED),
            _message(texts),
        ],
    }
    known = act in asks or act in _ASK_WHY_ALONE
    if not known or (act in _OF_PODS and pod is None):
        raise UnexpectedInputError("no such act")
    own = asks[act]() if act in asks else []
    return own if act in _NEED_NO_REASON else [*own, reason_field(texts)]


OF_PLAYERS: Final = {
    "substitute-player",
    "move-player",
    "points",
    "seed",
    "withdraw",
    "ban",
    "add",
    "write",
}
"""The actions that concern one player."""
_OF_PODS: Final = {"accept", "reopen", "rule", "enter", "substitute", "move"}
_ASK_WHY_ALONE: Final = {"pause", "resume", "extend", "redraw", "accept", "reopen", "withdraw", "ban", "add"}
_NEED_NO_REASON: Final = {"match", "write", "write-some"}


def reason_field(texts: Texts) -> ui.Label[ui.LayoutView]:
    """Return the field of the form that asks why."""
    return field(texts("desk.reason"), ui.TextInput(custom_id="reason", min_length=3, max_length=200))


def _field(key: str, item: ui.Item[Any], texts: Texts, **values: int) -> ui.Label[Any]:
    """Return a field with its label, and with its hint if the catalogue has one."""
    hint = f"{key}_hint"
    return field(texts(key), item, texts(hint, **values) if hint in texts else None)


def _typed(
    name: str, longest: int, key: str, texts: Texts, *, required: bool = True, **values: int
) -> ui.Label[Any]:
    box: ui.TextInput[Any] = ui.TextInput(custom_id=name, max_length=longest, required=required)
    return _field(key, box, texts, **values)


def _of_pod_players(
    view: SeasonView, pod: Pod | None, name: str, key: str, texts: Texts, *, least: int = 1
) -> ui.Label[Any]:
    """Return a select of a pod's players: of exactly one, or with `least` 0 of any number."""
    players = pod.players if pod else ()
    options = [
        discord.SelectOption(label=view.plain_name(player)[:100], value=str(player)) for player in players
    ]
    most = 1 if least else len(players)
    select: ui.Select[Any] = ui.Select(
        custom_id=name, options=options, min_values=least, max_values=max(1, most), required=least > 0
    )
    return _field(key, select, texts)


def _people(key: str, texts: Texts, *, most: int = 1) -> ui.Label[Any]:
    needed = key in {"desk.form_substitute", "desk.form_who"}
    chosen: ui.UserSelect[Any] = ui.UserSelect(
        custom_id="person", min_values=1 if needed else 0, max_values=most, required=needed
    )
    return _field(key, chosen, texts)


def _where(texts: Texts) -> Fields:
    """Return the fields that say where a player moves: into another person's seat, or to a pod."""
    return [
        _people("desk.form_exchange", texts),
        _typed("pod", 4, "desk.form_to", texts, required=False),
    ]


def _deals(view: SeasonView, pod: Pod | None, texts: Texts) -> ui.Label[Any]:
    """Return the field for a result.

    It begins with the deals so far, except those of boards that are still sealed: their points are for their table alone.
    """
    players = pod.players if pod else ()
    result = pod.result if pod else None
    names = [view.plain_name(player) for player in (result.players if result else players)]
    is_sealed = pod is not None and view.season.has_sealed_boards(pod.round)
    deals = ui.TextInput[Any](
        custom_id="deals",
        style=discord.TextStyle.paragraph,
        default=prefilled(names, result.deals if result and not is_sealed else ())[:2000],
        max_length=2000,
    )
    return field(texts("league.form_deals"), deals, texts("desk.form_deals_hint"))


def _whom(texts: Texts) -> ui.Label[Any]:
    options = [discord.SelectOption(label=texts(f"desk.whom_{whom}"), value=whom) for whom in WHOM]
    return field(texts("desk.form_whom"), ui.Select(custom_id="whom", options=options))


def _message(texts: Texts) -> ui.Label[Any]:
    written = ui.TextInput[Any](
        custom_id="text", style=discord.TextStyle.paragraph, min_length=3, max_length=LONGEST_MESSAGE
    )
    return field(texts("desk.form_message"), written, texts("desk.form_message_hint"))


_NAMES: Final = 1_000
"""The maximum length of a list of names, in characters."""


def check_panel(
    view: SeasonView,
    granted: discord.Permissions | None,
    texts: Texts,
    *,
    plans: bool,
    silent_role: int | None = None,
    forum: Literal["forum", "tags"] | None = None,
) -> Panel:
    """List the problems of a league.

    `granted` are the bot's permissions in its channel, None if the channel is gone. `silent_role` is the
    staff role, if mentions of it notify no one. `forum` says whether its channel is a forum, and whether that
    requires tags.
    """
    found = [
        *_permissions(view, granted, texts, plans=plans, forum=forum is not None),
        *(["- " + texts("sorry.forum_tags", forum=view.row.channel_id)] if forum == "tags" else []),
        *([] if silent_role is None else [texts("league.check_silent_role", role=silent_role)]),
        *_pods(view, texts),
        *_unreached(view, texts),
        *_posts(view, texts),
    ]
    page = page_of(found, 0)
    return panel(
        text(texts("league.check_title", league=view.title)),
        text("\n".join(page.lines) or texts("league.check_well")),
        text(texts("league.check_more", count=page.rest)) if page.rest else None,
    )


def _permissions(
    view: SeasonView, granted: discord.Permissions | None, texts: Texts, *, plans: bool, forum: bool
) -> list[str]:
    channel = f"<#{view.row.channel_id}>"
    if granted is None:
        return [texts("league.check_no_channel", channel=channel)]
    lacking = missing_permissions(granted, threads=False)
    if forum:
        lacking = list(dict.fromkeys([*lacking, *missing_for_posts(granted)]))
    elif view.season.settings.tables == "threads" and view.season.settings.format.has_draw:
        lacking += missing_for_thread(granted, private=True)
    missing = (post_words if forum else permission_words)(lacking, texts)
    said = [texts("league.check_missing", channel=channel, missing=missing)] if missing else []
    return said if plans else [*said, texts("league.check_no_events")]


def _pods(view: SeasonView, texts: Texts) -> list[str]:
    said: list[str] = []
    for pod in sorted(view.season.pods.values(), key=lambda pod: pod.id):
        table = view.tables.get(pod.id)
        if pod.report is not None and pod.report.against is not None:
            limit = is_limited(pod, view.season.settings)
            until = texts("league.check_until", at=pod.report.due) if limit else ""
            name = view.name(pod.report.against)
            said.append(texts("league.check_disputed", pod=pod.id, name=name, until=until))
        elif not pod.over and table is not None and table.status == "closed":
            said.append(texts("league.check_closed_table", pod=pod.id))
    return said


def _unreached(view: SeasonView, texts: Texts) -> list[str]:
    """List the players whom no reminder reaches because they accept no direct messages."""
    names = [
        view.name(member.player)
        for member in view.season.members.values()
        if member.status != "removed"
        and member.withdrawn is None
        and (person := view.people.get(member.player)) is not None
        and not person.dms_open
    ]
    return [texts("league.check_unreached", names=listed(names, texts, _NAMES))] if names else []


def _posts(view: SeasonView, texts: Texts) -> list[str]:
    waiting = view.failing_posts
    return [texts("league.check_posts", count=waiting)] if waiting else []
