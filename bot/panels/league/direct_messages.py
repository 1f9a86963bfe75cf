"""Messages to one player: reminders, and the answer to what comes next."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bot.league.agenda import answering, draw_at, holds_from, latest_time, opens_at, pod_due_at
from bot.league.meetings import is_agreed
from bot.league.season import SeasonView, is_shut
from bot.panels.league.people import invitation_panel
from bot.panels.league.pods import seat_button, seat_words
from bot.panels.league.reports import answer_panel, answers, report_words
from bot.panels.league.words import points, round_name
from bot.ui.items import GREEN, Button, Press, row
from bot.ui.panel import Panel, panel, text
from bot.words.names import shown_lines
from bot.words.texts import Texts
from data.season_posts import (
    AdmissionNotice,
    AgreedNotice,
    CheckInReminder,
    DealReportNotice,
    EndNotice,
    FreeSeatNotice,
    InvitationNotice,
    MessageNotice,
    NoShowNotice,
    PauseNotice,
    PersonalPost,
    PlayReminder,
    ProposalNotice,
    ReportNotice,
    TableNotice,
    TeamNotice,
    TimeReminder,
)
from data.season_rows import PodTimeRow
from league.matches.times import Proposal
from league.members import MembersWritten
from league.pairing.drawing import checked_in
from league.results import Player
from league.rulings import to_answer
from league.season import Pod
from league.standins import seats_for
from league.times import DAY

_SUITING = 3
"""The maximum number of times suiting a whole pod that are listed."""
_LATELY = 7 * DAY
_MESSAGES = 1
"""The number of staff messages that are shown, from the past week."""
_SEATS = 2
"""The number of free seats offered to a player at once: a row holds five buttons."""


def reminder_panel(view: SeasonView, post: PersonalPost, texts: Texts) -> Panel | None:
    """Return a direct message of a season; None if its matter is already settled."""
    if isinstance(post, EndNotice):
        there = sum(member.plays for member in view.season.members.values())
        return panel(text(texts("league.ended_early", league=view.title, there=there)))
    if isinstance(post, DealReportNotice):
        return answer_panel(view, post.event, texts)
    if isinstance(post, MessageNotice):
        return _message(view, post.event, texts)
    if isinstance(post, TeamNotice):
        return invitation_panel(view, post.team, post.player, texts)
    if isinstance(post, InvitationNotice):
        return _invitation(view, post.player, texts)
    if isinstance(post, NoShowNotice) and _is_waiting(view, post):
        return _no_show(view, view.season.pods[post.pod], texts)
    if isinstance(post, PauseNotice) and _is_waiting(view, post):
        return panel(
            text(texts("league.told_paused", league=view.title, at=view.season.paused_at)),
            text(texts("league.no_more_reminders")),
        )
    return next_panel(view, post.player, texts, reminder=True) if _is_waiting(view, post) else None


def _is_waiting(view: SeasonView, post: PersonalPost) -> bool:
    """Return whether the matter of this message still waits for its player."""
    match post:
        case EndNotice() | DealReportNotice() | MessageNotice() | TeamNotice():
            return True
        case InvitationNotice() | AdmissionNotice():
            return not view.season.has_left(post.player)
        case CheckInReminder(number):
            return _asked(view, post.player, number)
        case NoShowNotice(pod_id, player=player):
            pod = view.season.pods.get(pod_id)
            return pod is not None and player in pod.no_shows
        case PauseNotice(at):
            return view.season.paused_at == at and view.row.closed_at is None
        case FreeSeatNotice():
            return bool(seats_for(view.season, post.player))
        case TableNotice(number) | PlayReminder(number):
            return _is_to_play(view, _pod_of(view, post.player, number), post.player)
        case TimeReminder(pod_id) | ProposalNotice(pod_id) | AgreedNotice(pod_id) | ReportNotice(pod_id):
            return _is_to_play(view, view.season.pods.get(pod_id), post.player)


def _message(view: SeasonView, event: int, texts: Texts) -> Panel | None:
    """Show what the staff wrote; None if there is no such message."""
    written = next((act.body for act in view.acts if act.id == event), None)
    if not isinstance(written, MembersWritten):
        return None
    return panel(
        text(texts("league.message", league=view.title)),
        text(shown_lines(written.text)),
        text(texts("league.no_more_reminders")),
    )


def _messages(view: SeasonView, player: Player) -> list[str]:
    """Return the staff's latest messages to a player, newest first, as not everyone gets direct messages."""
    return [
        shown_lines(act.body.text)
        for act in reversed(view.acts)
        if isinstance(act.body, MembersWritten) and player in act.body.players and act.at > view.now - _LATELY
    ][:_MESSAGES]


def _is_to_play(view: SeasonView, pod: Pod | None, player: Player) -> bool:
    """Return whether this player has a match in the pod that has not begun, or a report to answer, and the staff are not awaited.

    Players who have left the season play no match any more.
    """
    if pod is None or is_shut(pod, view.tables.get(pod.id)):
        return False
    if pod.report is None and view.season.has_left(player):
        return False
    return view.is_awaited(pod) and pod.table is None and player in pod.players


def _no_show(view: SeasonView, pod: Pod, texts: Texts) -> Panel:
    """Notify a player that a match counts as a no-show for them, what that costs, and what they can do."""
    settings, name = view.season.settings, round_name(view, pod.round, texts)
    later = settings.is_sitting and view.season.drawn < settings.rounds and view.row.closed_at is None
    return panel(
        text(texts("league.told_no_show", league=view.title, name=name, pod=pod.id)),
        text(texts("league.told_no_show_join", join=texts("league.join"))) if later else None,
        text(attendance_words(view, texts)),
        text(texts("league.no_more_reminders")),
    )


def _invitation(view: SeasonView, player: Player, texts: Texts) -> Panel | None:
    """Ask a player of the previous season whether they play again."""
    member = view.season.members.get(player)
    if view.row.closed_at is not None or view.season.drawn or (member and member.status != "removed"):
        return None
    at = draw_at(view.row, view.season, 1)
    return panel(
        text(texts("league.invited", league=view.title, at=at)),
        row(Button(Press("league-join", view.row.id, 0), texts("league.join"), style=GREEN)),
        text(texts("league.no_more_reminders")),
    )


def next_panel(view: SeasonView, player: Player, texts: Texts, *, reminder: bool = False) -> Panel:
    """Show a player's next step: their table, deadline and opponents, or the round to check in for."""
    coming = [
        *_match(view, player, texts),
        *_check_in(view, player, view.season.drawn + 1, texts),
        *_free_seats(view, player, texts),
    ]
    said = [notice.words for notice in coming] or [_nothing(view, player, texts)]
    buttons = [button for notice in coming for button in notice.buttons]
    written = [] if reminder else _messages(view, player)
    return panel(
        text("\n".join([texts("league.next_title", league=view.title), *said])),
        row(*buttons) if buttons else None,
        text(texts("league.messages", said="\n\n".join(written))) if written else None,
        text(attendance_words(view, texts)) if coming else None,
        text(texts("league.no_more_reminders")) if reminder else None,
    )


def attendance_words(view: SeasonView, texts: Texts) -> str | None:
    """Explain what missing a round costs and how often a player has to play; in an arena, how it counts."""
    settings = view.season.settings
    if settings.format.counts_places:
        return texts("league.arena_points")
    if not settings.miss_from_mean:
        return None
    return texts(
        "league.attendance",
        absence=points(-settings.absence_points),
        no_show=points(-settings.no_show_points),
        least=settings.least(settings.rounds),
        rounds=settings.rounds,
    )


class _Coming(NamedTuple):
    """One thing that awaits a player, with its buttons."""

    words: str
    buttons: Sequence[Button] = ()


def _match(view: SeasonView, player: Player, texts: Texts) -> Iterator[_Coming]:
    """Yield the player's next match, or its report."""
    pod = view.waiting_pod(player)
    if pod is None:
        return
    if pod.report is not None and pod.table is None:
        asked = player in to_answer(pod)
        yield _Coming(
            report_words(view, pod, pod.report, texts), answers(view, pod, pod.report, texts) if asked else ()
        )
        return
    if is_shut(pod, view.tables.get(pod.id)):
        others = view.names(other for other in pod.players if other != player)
        yield _Coming(texts("league.next_shut", name=round_name(view, pod.round, texts), others=others))
        return
    time = view.times.get(pod.id)
    words = _pod_words(view, pod, player, texts)
    asked = time.for_player(player) if time is not None and view.now < time.proposal.at else None
    if asked is None or player in pod.missed or pod.table is not None:
        yield _Coming(words, _ask_for_hours(view, pod, player, texts))
    else:
        press = Press("league-agree", view.row.id, pod.id, str(asked.at))
        yield _Coming(words, [Button(press, texts("league.agree"), style=GREEN)])


def _ask_for_hours(view: SeasonView, pod: Pod, player: Player, texts: Texts) -> Sequence[Button]:
    """Offer to enter playing times with a player's first match of a season, if they never have."""
    person = view.people.get(player)
    earlier = any(other.id < pod.id and player in other.players for other in view.season.pods.values())
    if person is None or person.settings.play_hours or earlier or view.season.settings.is_sitting:
        return ()
    return [Button(Press("settings", 0, 0, "time"), texts("league.say_hours"))]


def _check_in(view: SeasonView, player: Player, number: int, texts: Texts) -> Iterator[_Coming]:
    """Yield the question whether the player comes to this round, if it is being asked now."""
    if not _asked(view, player, number):
        return
    member = view.season.members[player]
    key = "league.next_stand_in" if number > 1 and not member.plays else "league.next_check_in"
    yield _Coming(
        texts(key, round=number, at=draw_at(view.row, view.season, number)),
        [
            Button(Press("league-in", view.row.id, number), texts("league.i_am_in"), style=GREEN),
            Button(Press("league-out", view.row.id, number), texts("league.not_this_time")),
        ],
    )


def _free_seats(view: SeasonView, player: Player, texts: Texts) -> Iterator[_Coming]:
    for seat in seats_for(view.season, player)[:_SEATS]:
        yield _Coming(seat_words(view, seat, texts), [seat_button(view, seat, texts)])


def _pod_words(view: SeasonView, pod: Pod, player: Player, texts: Texts) -> str:
    if player in pod.missed:
        return texts("league.next_missed", name=round_name(view, pod.round, texts))
    others = view.names(other for other in pod.players if other != player)
    said = texts(
        "league.next_pod" if pod.table is None else "league.next_playing",
        name=round_name(view, pod.round, texts),
        link=view.link(pod.id),
        others=others,
        at=pod_due_at(view.row, view.season, pod),
    )
    if pod.table is not None:
        return said
    if pod.missed:
        return said + "\n" + texts("league.next_without", names=view.names(sorted(pod.missed)))
    time = view.times.get(pod.id)
    if time is None:
        suiting = view.common_times(pod, latest_time(view.row, view.season, pod), _SUITING)
        times = ", ".join(texts("league.moment", at=at) for at in suiting)
        return said + "\n" + texts("league.suits_all", times=times) if suiting else said
    return said + "\n" + _time_words(view, pod, time, texts)


def _time_words(view: SeasonView, pod: Pod, time: PodTimeRow, texts: Texts) -> str:
    """Describe a pod's proposed or agreed time, and the one that may replace it."""
    words = _proposal_words(view, pod, time.proposal, texts)
    if is_agreed(view.season, pod, time, view.now):
        words = texts("league.next_time", at=time.proposal.at)
    elif (begins := holds_from(view.season, pod, time)) is not None:
        words += " " + texts("league.holds_from", begins=begins)
    if time.change is not None:
        words += "\n" + _proposal_words(view, pod, time.change, texts) + " " + texts("league.as_much_consent")
    return words


def _proposal_words(view: SeasonView, pod: Pod, asked: Proposal, texts: Texts) -> str:
    players = answering(view.season, pod)
    agreed = view.names(player for player in players if player in asked.agreed)
    missing = view.names(player for player in players if player not in asked.agreed)
    return texts("league.next_time_open", at=asked.at, agreed=agreed, missing=missing)


def _asked(view: SeasonView, player: Player, number: int) -> bool:
    """Return whether this player is being asked to check in for the round."""
    settings, season = view.season.settings, view.season
    member = season.members.get(player)
    if member is None or member.status in {"asking", "removed"} or member.withdrawn is not None:
        return False
    if view.row.closed_at is not None or number != season.drawn + 1 or number > settings.rounds:
        return False
    if not settings.checks_in(number) or view.now < opens_at(view.row, view.season, number):
        return False
    if number > 1 and not member.plays and (player, number) in season.check_ins:
        return False
    return player not in {member.player for member in checked_in(season, number)}


def _nothing(view: SeasonView, player: Player, texts: Texts) -> str:
    settings, season = view.season.settings, view.season
    member = season.members.get(player)
    if view.row.closed_at is not None:
        return texts("league.next_over")
    if member is None or member.status == "removed" or member.withdrawn is not None:
        return texts("league.next_not_in")
    if member.status == "asking":
        return texts("league.next_asks")
    if not settings.format.has_draw:
        return texts("league.next_ladder")
    if member.status == "waiting" and season.drawn:
        return texts("league.next_standby")
    if member.status == "waiting":
        confirm, at = opens_at(view.row, view.season, 1), draw_at(view.row, view.season, 1)
        return texts("league.next_signed_up", confirm=confirm, at=at)
    at = draw_at(view.row, view.season, min(season.drawn + 1, settings.rounds + 1))
    return texts("league.next_nothing" if season.drawn < settings.rounds else "league.next_all_played", at=at)


def _pod_of(view: SeasonView, player: Player, number: int) -> Pod | None:
    return next((pod for pod in view.pods_of(number) if player in pod.players), None)
