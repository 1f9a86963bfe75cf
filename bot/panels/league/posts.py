"""The public messages of a season: sign-up, check-in, the pods of a round, the table after it, the end, rulings.

Each shows as much as fits, with a button for the rest.
"""

from collections.abc import Sequence
from typing import Any, Final

from discord.ui import TextDisplay

from bot.league.agenda import boundaries, draw_at, opens_at
from bot.league.season import SeasonView
from bot.panels.league.lists import show_all
from bot.panels.league.people import confirming, people_words, team_button, teams_words
from bot.panels.league.pods import absent_names, board_lines, pod_lines, round_title, seat_panel
from bot.panels.league.reports import deal_report_panel, dispute_panel, report_panel
from bot.panels.league.standings import cut_line, standings_lines
from bot.panels.league.words import (
    about_words,
    cut_words,
    page_words,
    round_name,
    ruling_words,
    stage_title,
    stage_words,
)
from bot.panels.pages import PAGE, Page, listed, page_of
from bot.ui.items import BLUE, GREEN, Button, Press, row
from bot.ui.panel import Panel, panel, taken, text
from bot.words.names import shown_lines
from bot.words.texts import Texts
from data.season_posts import (
    NOW,
    BoardsPost,
    ChannelPost,
    CheckInPost,
    DealReportPost,
    DelayPost,
    DisputePost,
    EndPost,
    FreeSeatPost,
    ReportPost,
    RoundPost,
    RulingPost,
    SignupPost,
    StandingsPost,
)
from league.numbers import LAST_STAGE
from league.pairing.drawing import forecast
from league.standings import ShownStandings

_TOP: Final = 10
"""The maximum number of rows of one table in a message."""
_ABSENT: Final = 500
"""The maximum length of the names of absent players in a message, in characters."""


def post_panel(view: SeasonView, post: ChannelPost, texts: Texts, pages_url: str | None = None) -> Panel:
    """Show a message in the season's channel; raises ValueError for boards that are not compared yet.

    If the address of the public pages is known, the first and last messages link to the season's page.
    """
    match post:
        case SignupPost():
            return signup_panel(view, texts, pages_url)
        case CheckInPost() | RoundPost() | StandingsPost() | BoardsPost():
            return _panel_of_a_round(view, post, texts)
        case FreeSeatPost(pod, player):
            return seat_panel(view, pod, player, texts)
        case ReportPost() | DisputePost():
            return _panel_of_a_report(view, post, texts)
        case DealReportPost(event):
            return deal_report_panel(view, event, texts)
        case DelayPost():
            return _delay_panel(view, texts)
        case EndPost():
            return closed_panel(view, texts, pages_url)
        case RulingPost(event):
            return panel(text(ruling_words(view, event, texts)))


def _panel_of_a_report(view: SeasonView, post: ReportPost | DisputePost, texts: Texts) -> Panel:
    pod = view.season.pods.get(post.pod)
    if pod is None:  # it was drawn again
        return panel(text(texts("league.report_gone", league=view.title, pod=post.pod)))
    match post:
        case ReportPost():
            return report_panel(view, pod, texts)
        case DisputePost():
            return dispute_panel(view, pod, post, texts)


def _panel_of_a_round(
    view: SeasonView, post: CheckInPost | RoundPost | StandingsPost | BoardsPost, texts: Texts
) -> Panel:
    match post:
        case CheckInPost(number):
            return check_in_panel(view, number, texts)
        case RoundPost(number):
            return round_panel(view, number, texts)
        case StandingsPost(number):
            return after_round_panel(view, number, texts)
        case BoardsPost(number):
            return _boards_panel(view, number, texts)


def signup_panel(view: SeasonView, texts: Texts, pages_url: str | None = None) -> Panel:
    """Show the description of the season, its members, and how to join."""
    season = view.season
    people, all_named = people_words(view, 0, texts)
    sealed = season.commitment[:16] if _draws(view) and view.row.closed_at is None else ""
    return panel(
        text(texts("league.title", league=view.title)),
        text(shown_lines(season.settings.description)) if season.settings.description else None,
        text(about_words(view, texts)),
        text(_doors(view, texts)),
        text(_when(view, texts)),
        text(_forecast(view, texts)),
        text(page_words(view, pages_url, texts)),
        *map(text, people),
        text(texts("league.seed", commitment=sealed)) if sealed else None,
        text(texts("team.how", size=season.settings.team_size)) if _forms_teams(view) else None,
        text(teams_words(view, texts)) if not season.drawn else None,
        row(*_signup_buttons(view, texts)),
        row(team_button(view, texts)) if season.settings.team_size else None,
        None if all_named else row(show_all(view, "people-0", texts)),
    )


def _forms_teams(view: SeasonView) -> bool:
    """Return whether members can found and join teams now."""
    season = view.season
    return season.settings.team_size > 0 and not season.drawn and view.row.closed_at is None


def _signup_buttons(view: SeasonView, texts: Texts) -> list[Button]:
    standings = Button(_press(view, "league-standings"), texts("league.standings"))
    if view.row.closed_at is not None:
        return [standings]
    confirm = Button(_press(view, "league-in", 1), texts("league.confirm"), style=BLUE)
    return [
        Button(_press(view, "league-join"), texts("league.join"), style=GREEN),
        *([confirm] if confirming(view) and not view.season.drawn else []),
        Button(_press(view, "league-leave"), texts("league.leave")),
        Button(_press(view, "league-next"), texts("league.my_next")),
        standings,
    ]


def _doors(view: SeasonView, texts: Texts) -> str | None:
    """Say who may join and for how many there is room; None without such limits."""
    settings = view.season.settings
    said = [
        texts("league.places", most=settings.most_players) if settings.most_players else "",
        texts("league.needs_role", role=settings.role) if settings.role else "",
    ]
    return "\n".join(filter(None, said)) or None


def _forecast(view: SeasonView, texts: Texts) -> str:
    """Say how large the season would be with the present members; empty once it has begun."""
    season = view.season
    there = sum(member.status != "removed" for member in season.members.values())
    found = None if season.drawn or view.row.closed_at else forecast(season.settings, there)
    if found is None:
        return ""
    key = "wizard.size_divisions" if found.divisions else "wizard.size"
    if season.settings.format.plays_to_the_end:
        return ""
    return texts(key, players=there, tables=found.tables, divisions=found.divisions, rounds=found.rounds)


def _draws(view: SeasonView) -> bool:
    return view.season.settings.format.has_draw


def _when(view: SeasonView, texts: Texts) -> str:
    row, season = view.row, view.season
    settings = season.settings
    if row.closed_at is not None:
        return texts("league.when_closed", at=row.closed_at)
    if season.paused_at is not None:
        return texts("league.when_paused", at=season.paused_at)
    if not settings.format.has_draw:
        return texts("league.when_ladder", at=draw_at(row, season, settings.rounds + 1))
    latest = max(season.rounds, default=0)
    if latest and season.rounds[latest].stage:
        name, due = round_name(view, latest, texts), season.rounds[latest].due
        return texts("league.when_finals", name=name, at=due)
    if season.drawn:
        due = draw_at(row, season, season.drawn + 1)
        return texts("league.when_running", round=_current(view), rounds=settings.rounds, at=due)
    if settings.checks_in(1):
        confirm = opens_at(row, season, 1)
        return texts("league.when_signup_confirm", at=row.starts_at, confirm=confirm)
    return texts("league.when_signup", at=row.starts_at)


def _delay_panel(view: SeasonView, texts: Texts) -> Panel:
    """Announce that everything is delayed because the bot was away."""
    at = min(
        (boundary for boundary in boundaries(view.row, view.season) if boundary > view.now),
        default=view.now,
    )
    return panel(text(texts("league.put_off", league=view.title, at=at)))


def _current(view: SeasonView) -> int:
    """Return the round that is being played."""
    settings = view.season.settings
    begun = [
        number
        for number in range(1, settings.rounds + 1)
        if draw_at(view.row, view.season, number) <= view.now
    ]
    return max(begun, default=1)


def check_in_panel(view: SeasonView, number: int, texts: Texts) -> Panel:
    """Show the people who have checked in for a round, with the buttons.

    For the first round this confirms the sign-up.
    """
    settings, season = view.season.settings, view.season
    people, all_named = people_words(view, number, texts)
    at = draw_at(view.row, view.season, number)
    key = "league.check_in_first" if number == 1 else "league.check_in"
    is_open, ended = season.drawn < number and view.row.closed_at is None, view.row.closed_at
    over = "league.check_in_closed" if season.drawn >= number else "league.when_closed"
    return panel(
        text(texts(key, league=view.title, round=number, rounds=settings.rounds, at=at)),
        *map(text, people),
        row(
            Button(_press(view, "league-in", number), texts("league.i_am_in"), style=GREEN),
            Button(_press(view, "league-out", number), texts("league.not_this_time")),
            Button(_press(view, "league-always", number), texts("league.always")),
        )
        if is_open
        else text(texts(over, at=ended)),
        None if all_named else row(show_all(view, f"people-{number}", texts)),
    )


def round_panel(view: SeasonView, number: int, texts: Texts) -> Panel:
    """Show the pods of a round, or a ladder's matches of a day, with their tables and results so far."""
    draws = _draws(view)
    pods, absent = page_of(pod_lines(view, number, texts), 0), absent_names(view, number)
    nothing = texts("league.nobody_came" if draws else "league.ladder_nothing")
    return panel(
        text(round_title(view, number, texts)),
        text("\n".join(pods.lines) or nothing),
        text(_more(pods.rest, "list.all", texts)),
        text(texts("league.absent", names=listed(absent, texts, _ABSENT))) if absent else None,
        row(
            *([show_all(view, f"pods-{number}", texts)] if pods.rest else []),
            *([Button(_press(view, "league-next"), texts("league.my_next"), style=BLUE)] if draws else []),
            Button(_press(view, "league-standings"), texts("league.standings")),
        ),
    )


def _more(count: int, button: str, texts: Texts) -> str | None:
    """Say that there is more than is shown, and which button shows it."""
    return texts("list.more", count=count, button=texts(button)) if count else None


def _boards_panel(view: SeasonView, number: int, texts: Texts) -> Panel:
    """Show the boards of a round played in duplicate; there is nothing to compare if only one table has a result on them."""
    lines, _ = board_lines(view, number, None, texts)
    page = page_of(lines, 0)
    return panel(
        text(texts("league.boards", league=view.title, round=number)),
        text(texts("league.boards_note" if lines else "league.boards_none")),
        text("\n".join(page.lines)) if lines else None,
        text(_more(page.rest, "list.all", texts)),
        row(*([show_all(view, f"boards-{number}", texts)] if page.rest else [])),
    )


def after_round_panel(view: SeasonView, number: int, texts: Texts) -> Panel:
    """Show the standings after a round, with every correction since."""
    drawn = view.season.rounds.get(number)
    if drawn is not None and drawn.stage:
        return panel(text(stage_title(view, drawn.stage, texts)), text(stage_words(view, drawn.stage, texts)))
    key = "league.standings_now" if number == NOW else "league.after_round"
    teams = teams_words(view, texts, None if number == NOW else number)
    return panel(
        text(texts(key, league=view.title, round=number, at=view.now)),
        *_tables(view, None if number == NOW else number, texts, teams),
        text(teams),
        text(cut_words(view, texts)) if number == view.season.drawn else None,
        row(Button(_press(view, "league-standings"), texts("league.whole_table"))),
    )


def _tables(
    view: SeasonView, number: int | None, texts: Texts, teams: str | None = None
) -> list[TextDisplay[Any]]:
    """Return the top of each division's table, as many rows as fit in a message with the text `teams`.

    `number` is the round to show the table after; None at the end, once qualification for the finals is over.
    """
    tables = [view.standings(division, number) for division in view.divisions]
    if not any(table.rows for table in tables):
        return [text(texts("league.no_rows"))] if number is not None else []
    room = PAGE - taken(teams or "")
    page = _heads(view, tables, _TOP, texts, room, qualifying=number is not None)
    for top in range(_TOP - 1, 0, -1):
        if page.rest:
            page = _heads(view, tables, top, texts, room, qualifying=number is not None)
    return [text("\n".join(page.lines)), text(_more(page.rest, "league.whole_table", texts))]


def _heads(
    view: SeasonView, tables: Sequence[ShownStandings], top: int, texts: Texts, room: int, *, qualifying: bool
) -> Page:
    """Return the first `top` rows of each table, for as many tables as fit."""
    return page_of(
        [_head(view, table, top, texts, cut=qualifying or table.division > 0) for table in tables], 0, room
    )


def _head(view: SeasonView, table: ShownStandings, top: int, texts: Texts, *, cut: bool) -> str:
    """Return the first rows of a table; with `cut`, also name who would qualify, move up or move down."""
    title = [texts("league.division", division=table.division)] if table.division else []
    lines = standings_lines(table, table.rows[:top], None, texts)
    return "\n".join([*title, *lines, *([said] if cut and (said := cut_line(view, table, texts)) else [])])


def closed_panel(view: SeasonView, texts: Texts, pages_url: str | None = None) -> Panel:
    """Show the end of a season: the champion, the final tables, the seed."""
    if view.row.closed_at is None:
        return panel(text(texts("league.open_again", league=view.title)))
    champion = view.champion()
    finals = any(drawn.stage == LAST_STAGE for drawn in view.season.rounds.values())
    if champion is not None:
        title = texts("league.over", league=view.title, champion=view.name(champion))
    else:
        not_begun = _draws(view) and not view.season.rounds
        no_final = any(drawn.stage for drawn in view.season.rounds.values())
        key = "league.over_" + ("too_few" if not_begun else "no_final" if no_final else "unwon")
        there = sum(member.plays for member in view.season.members.values())
        title = texts(key, league=view.title, there=there)
    teams = teams_words(view, texts)
    return panel(
        text(title),
        text(stage_words(view, LAST_STAGE, texts)) if finals else None,
        text(texts("league.final_ranking")) if finals and champion is not None else None,
        *_tables(view, None, texts, teams),
        text(teams),
        text(page_words(view, pages_url, texts)),
        text(texts("league.seed_shown", seed=view.season.seed)) if view.season.seed else None,
        row(Button(_press(view, "league-standings"), texts("league.whole_table"))),
    )


def _press(view: SeasonView, verb: str, number: int = 0) -> Press:
    return Press(verb, view.row.id, number)
