"""The public messages of a season: sign-up, check-in, the pods of a round, the table after it, the end, rulings."""

from collections.abc import Callable, Mapping
from typing import Final

from bot.interactions.ids import Press
from bot.league.agenda import boundaries, checks_in, draw_at, due_at, opens_at
from bot.league.numbers import NAMES, described, shown_value
from bot.league.view import SeasonView
from bot.panels.items import BLUE, GREEN, Button, row
from bot.panels.league.boards import boards_panel
from bot.panels.league.finals import stage_title, stage_words
from bot.panels.league.points import points
from bot.panels.league.reports import report_panel
from bot.panels.league.seats import seat_panel
from bot.panels.league.standings import cut_line, standings_lines
from bot.panels.league.words import about_words, ruling_words
from bot.panels.panel import Panel, panel, text
from bot.words.texts import Texts
from league.book import Book, book
from league.drawing import there
from league.season import Member, Pod
from league.settings import LAST_STAGE

_LISTED = 60
"""Names in one message."""
_TOP = 10
_ROWS = 24
"""Rows of all tables in one message."""


def post_panel(view: SeasonView, key: str, texts: Texts) -> Panel:
    """The message of that key; raises ValueError for one that there is not."""
    what, _, argument = key.partition(":")
    if what in _OF_A_ROUND:
        return _OF_A_ROUND[what](view, int(argument), texts)
    match what:
        case "signup":
            return signup_panel(view, texts)
        case "seat":
            pod, _, player = argument.partition(":")
            return seat_panel(view, int(pod), int(player), texts)
        case "report":
            return report_panel(view, view.season.pods[int(argument)], texts)
        case "put_off":
            return _put_off_panel(view, texts)
        case "closed":
            return closed_panel(view, texts)
        case "ruling":
            return panel(text(ruling_words(view, int(argument), texts)))
        case _:
            raise ValueError(f"a season has no message {key!r}")


def signup_panel(view: SeasonView, texts: Texts) -> Panel:
    """What the season is, who is in, and how to get in."""
    season, members = view.season, _members(view)
    confirmed = [own for own in members if own.status == "confirmed"]
    waiting = [own for own in members if own.status == "waiting"]
    is_over = view.row.closed_at is not None
    sealed = season.commitment[:16] if _draws(view) and not is_over else ""
    return panel(
        text(texts("league.title", league=view.title)),
        text(about_words(view, texts)),
        text(_when(view, texts)),
        text(_listed("league.played" if is_over else "league.in", confirmed, view, texts)),
        text(_listed(_waiting_key(view), waiting, view, texts)) if waiting else None,
        text(texts("league.seed", commitment=sealed)) if sealed else None,
        row(*_signup_buttons(view, texts)),
    )


def _waiting_key(view: SeasonView) -> str:
    """Until sign-ups are confirmed nobody is on a waiting list."""
    return "league.waiting" if view.season.drawn or _confirming(view) else "league.signed"


def _signup_buttons(view: SeasonView, texts: Texts) -> list[Button]:
    standings = Button(_press(view, "league-standings"), texts("league.standings"))
    if view.row.closed_at is not None:
        return [standings]
    confirm = Button(_press(view, "league-in", 1), texts("league.confirm"), style=BLUE)
    return [
        Button(_press(view, "league-join"), texts("league.join"), style=GREEN),
        *([confirm] if _confirming(view) and not view.season.drawn else []),
        Button(_press(view, "league-leave"), texts("league.leave")),
        Button(_press(view, "league-next"), texts("league.my_next")),
        standings,
    ]


def _draws(view: SeasonView) -> bool:
    return view.season.settings.format != "ladder"


def _confirming(view: SeasonView) -> bool:
    settings = view.season.settings
    return checks_in(settings, 1) and view.now >= opens_at(view.row, settings, 1)


def _members(view: SeasonView) -> list[Member]:
    there = (own for own in view.season.members.values() if own.status != "removed" and own.withdrawn is None)
    return sorted(there, key=lambda own: (own.signed_up, own.player))


def _listed(key: str, members: list[Member], view: SeasonView, texts: Texts) -> str:
    names = ", ".join(view.name(own.player) for own in members[:_LISTED])
    more = texts("league.and_more", count=len(members) - _LISTED) if len(members) > _LISTED else ""
    return texts(key, count=len(members), names=(names or "–") + more)


def _when(view: SeasonView, texts: Texts) -> str:
    row, season = view.row, view.season
    settings = season.settings
    if row.closed_at is not None:
        return texts("league.when_closed", at=row.closed_at // 1000)
    if settings.format == "ladder":
        return texts("league.when_ladder", at=draw_at(row, settings, settings.rounds + 1) // 1000)
    if season.drawn:
        due = draw_at(row, settings, season.drawn + 1) // 1000
        return texts("league.when_running", round=_current(view), rounds=settings.rounds, at=due)
    if checks_in(settings, 1):
        confirm = opens_at(row, settings, 1) // 1000
        return texts("league.when_signup_confirm", at=row.starts_at // 1000, confirm=confirm)
    return texts("league.when_signup", at=row.starts_at // 1000)


def _put_off_panel(view: SeasonView, texts: Texts) -> Panel:
    """Everything happens later, because the bot was away."""
    at = min((own for own in boundaries(view.row, view.season) if own > view.now), default=view.now) // 1000
    return panel(text(texts("league.put_off", league=view.title, at=at)))


def _current(view: SeasonView) -> int:
    """The round that is being played."""
    settings = view.season.settings
    begun = [
        number for number in range(1, settings.rounds + 1) if draw_at(view.row, settings, number) <= view.now
    ]
    return max(begun, default=1)


def check_in_panel(view: SeasonView, number: int, texts: Texts) -> Panel:
    """Who is there for a round, and the buttons to say so; for the first one this confirms the sign-up."""
    settings, season = view.season.settings, view.season
    coming = there(season, number)
    ready = [own for own in _standing_by(view, number) if own not in coming]
    at = draw_at(view.row, settings, number) // 1000
    key = "league.check_in_first" if number == 1 else "league.check_in"
    is_open = season.drawn < number and view.row.closed_at is None
    return panel(
        text(texts(key, league=view.title, round=number, rounds=settings.rounds, at=at)),
        text(_listed("league.coming", list(coming), view, texts)),
        text(_listed("league.ready", ready, view, texts)) if ready else None,
        row(
            Button(_press(view, "league-in", number), texts("league.i_am_in"), style=GREEN),
            Button(_press(view, "league-out", number), texts("league.not_this_time")),
            Button(_press(view, "league-always", number), texts("league.always")),
        )
        if is_open
        else text(texts("league.check_in_closed")),
    )


def _standing_by(view: SeasonView, number: int) -> list[Member]:
    """Who is on the waiting list and has said that he could take a seat in this round."""
    season = view.season
    return [own for own in season.waiting() if number > 1 and (own.player, number) in season.check_ins]


def round_panel(view: SeasonView, number: int, texts: Texts) -> Panel:
    """The pods of a round with their tables, and their results as they come in."""
    if not _draws(view):
        return _day_panel(view, number, texts)
    drawn = view.season.rounds.get(number)
    stage = drawn.stage if drawn else 0
    due = due_at(view.row, view.season, number) // 1000
    key = "league.round_final" if stage == LAST_STAGE else "league.round_stage" if stage else "league.round"
    rounds = view.season.settings.rounds
    title = texts(key, league=view.title, round=number, rounds=rounds, players=stage, at=due)
    written = book(view.season, stage=stage or None)
    lines = [_pod_line(view, pod, written, texts) for pod in view.pods_of(number)]
    absent = [player for player, at in sorted(view.season.absences) if at == number]
    return panel(
        text(title),
        text("\n".join(lines) or texts("league.nobody_came")),
        text(texts("league.absent", names=view.names(absent))) if absent and not stage else None,
        row(
            Button(_press(view, "league-next"), texts("league.my_next"), style=BLUE),
            Button(_press(view, "league-standings"), texts("league.standings")),
        ),
    )


def _day_panel(view: SeasonView, number: int, texts: Texts) -> Panel:
    """What was played in a ladder on a day, which is what its rounds are."""
    written = book(view.season)
    lines = [_pod_line(view, pod, written, texts) for pod in view.pods_of(number)]
    return panel(
        text(texts("league.ladder_day", league=view.title, day=number)),
        text("\n".join(lines) or texts("league.ladder_nothing")),
        row(Button(_press(view, "league-standings"), texts("league.standings"))),
    )


def _pod_line(view: SeasonView, pod: Pod, written: Book, texts: Texts) -> str:
    number = pod.id
    division = texts("league.of_division", division=pod.division) if pod.division else ""
    link = view.link(pod.id) or ""
    if pod.over:
        home = pod.result is not None and pod.result.reported
        key = "league.pod_over_home" if home else "league.pod_over" if link else "league.pod_over_ruled"
        return texts(key, pod=number, division=division, result=_result(view, pod, written, texts), link=link)
    names = view.names(pod.players)
    if not link:
        return texts("league.pod_to_come", pod=number, division=division, names=names)
    reported = "league.pod_disputed" if pod.report and pod.report.against else "league.pod_reported"
    key = reported if pod.report else "league.pod" if pod.table is None else "league.pod_playing"
    return texts(key, pod=number, division=division, names=names, link=link, when=_notes(view, pod, texts))


def _notes(view: SeasonView, pod: Pod, texts: Texts) -> str:
    """Of a pod whose match has not begun: until when it plays if not as the round, who did not come, the agreed time."""
    if pod.table is not None:
        return ""
    time = view.times.get(pod.id)
    return (
        (texts("league.pod_until", at=pod.due) if pod.due else "")
        + (texts("league.pod_at", at=time.at // 1000) if time and time.at > view.now else "")
        + (texts("league.pod_missed", names=view.names(sorted(pod.missed))) if pod.missed else "")
    )


def _result(view: SeasonView, pod: Pod, written: Book, texts: Texts) -> str:
    """Who got how many league points in a pod, the best first."""
    got = {
        player: line.points
        for player in dict.fromkeys((*pod.drawn, *pod.players))
        for line in written.lines.get(player, ())
        if line.round == pod.round
    }
    ranked = sorted(got, key=lambda player: (-got[player], player))
    said = " · ".join(
        texts("league.got", name=view.name(player), points=points(got[player], sign=True))
        for player in ranked
    )
    return said or texts("league.no_result")


def after_round_panel(view: SeasonView, number: int, texts: Texts) -> Panel:
    """The table after a round, as it was published and with every correction since."""
    drawn = view.season.rounds.get(number)
    if drawn is not None and drawn.stage:
        return panel(text(stage_title(view, drawn.stage, texts)), text(stage_words(view, drawn.stage, texts)))
    return panel(
        text(texts("league.after_round", league=view.title, round=number)),
        text(_tables(view, number, texts) or texts("league.no_rows")),
        row(Button(_press(view, "league-standings"), texts("league.whole_table"))),
    )


def _tables(view: SeasonView, number: int | None, texts: Texts) -> str:
    """The head of the table, of every division where there are such: as many rows as a message holds.

    `number`: after which round; None at the end, when nobody is still to qualify for finals.
    """
    parts: list[str] = []
    top = max(1, min(_TOP, _ROWS // len(view.divisions)))
    for division in view.divisions:
        table = view.standings(division, number)
        title = [texts("league.division", division=division)] if division else []
        cut = cut_line(table, texts) if number is not None or division else None
        lines = standings_lines(table, table.rows[:top], None, texts)
        parts.append("\n".join([*title, *lines, *([cut] if cut else [])]))
    return "\n\n".join(parts)


def closed_panel(view: SeasonView, texts: Texts) -> Panel:
    """The end of a season: the champion, the final tables, the seed."""
    if view.row.closed_at is None:
        return panel(text(texts("league.open_again", league=view.title)))
    champion = view.champion()
    finals = any(own.stage == LAST_STAGE for own in view.season.rounds.values())
    title = (
        texts("league.over_unwon", league=view.title)
        if champion is None
        else texts("league.over", league=view.title, champion=view.name(champion))
    )
    return panel(
        text(title),
        text(stage_words(view, LAST_STAGE, texts)) if finals else None,
        text(_tables(view, None, texts)),
        text(texts("league.seed_shown", seed=view.season.seed)) if view.season.seed else None,
        row(Button(_press(view, "league-standings"), texts("league.whole_table"))),
    )


def _press(view: SeasonView, verb: str, number: int = 0) -> Press:
    return Press(verb, view.row.id, number)


def numbers_panel(view: SeasonView, wanted: str, texts: Texts) -> Panel:
    """Every number of the season with its value, or the one that is asked for."""
    settings = view.season.settings
    names = [wanted] if wanted in NAMES else NAMES
    lines = [
        texts("league.number", name=name, value=shown_value(settings, name), what=described(name, texts))
        for name in names
    ]
    key = "league.numbers_fixed" if view.season.drawn else "league.numbers"
    return panel(text(texts(key, league=view.title)), text("\n".join(lines)))


_OF_A_ROUND: Final[Mapping[str, Callable[[SeasonView, int, Texts], Panel]]] = {
    "checkin": check_in_panel,
    "round": round_panel,
    "standings": after_round_panel,
    "boards": boards_panel,
}
"""The messages that a round has, by what stands before its number in their keys."""
