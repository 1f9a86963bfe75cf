"""The largest possible seasons: 200 players with the longest names, in every state that changes a message."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from bot.league.rulings import PlaceChange, Preview
from bot.league.season import SeasonView
from data.season_posts import (
    AdmissionNotice,
    AgreedNotice,
    BoardsPost,
    ChannelPost,
    CheckInPost,
    CheckInReminder,
    DealReportNotice,
    DealReportPost,
    DelayPost,
    DisputePost,
    EndNotice,
    EndPost,
    FreeSeatNotice,
    FreeSeatPost,
    InvitationNotice,
    MessageNotice,
    NoShowNotice,
    PauseNotice,
    PersonalPost,
    PlayReminder,
    ProposalNotice,
    ReportNotice,
    ReportPost,
    RoundPost,
    RulingPost,
    SignupPost,
    StandingsPost,
    TableNotice,
    TeamNotice,
    TimeReminder,
)
from data.season_rows import SeasonEventRow
from league.events import (
    BoardsPlayed,
    CheckedIn,
    DealReportAnswered,
    DealReported,
    DivisionSet,
    NoShowBooked,
    ReportAnswered,
    Result,
    ResultCorrected,
    ResultReported,
    SeasonClosed,
    SeasonPaused,
    SignedUp,
    SubstituteSet,
    Withdrawn,
)
from league.finals import draw_stage, seeds
from league.members import MembersWritten, TeamFormed, TeamInvited, TeamJoined
from tests.bot.panels.worlds import season as view_of
from tests.league.seasons import Diary

PLAYERS: Final = 200
DIVISIONS: Final = 40
EVERYBODY: Final = range(1, PLAYERS + 1)
REPORT: Final = 2**40 + 1
"""The number of the event that reports a deal."""


@dataclass(frozen=True)
class Largest:
    """A season, and the messages that it shows in this state."""

    state: str
    view: SeasonView
    posts: tuple[ChannelPost, ...]
    notices: tuple[PersonalPost, ...] = ()


def largest() -> Iterator[Largest]:
    """Return every state: before the draw, drawn, disputed, played, in 40 divisions, in the finals, over."""
    yield _signing_up()
    yield _in_teams()
    yield _teams_played()
    yield _to_play()
    yield _disputed()
    yield _played()
    yield _in_divisions()
    yield _in_finals()
    yield _over()


def preview(view: SeasonView) -> Preview:
    """Return a ruling that changes everyone's row, with the longest reason."""
    rows = [row.row for row in view.standings(view.divisions[0]).rows]
    changes = [PlaceChange(row.player, row, replace(row, rank=200, points=-99_999)) for row in rows]
    return Preview(1, act(view), tuple(changes))


def act(view: SeasonView) -> SeasonEventRow:
    """Return the longest ruling: a whole result at a table of five."""
    pod = max(view.season.pods.values(), key=lambda pod: len(pod.players))
    nets = (-1000, -1000, -1000, -1000, -1000)[: len(pod.players) - 1]
    deals = ((*nets, -sum(nets)),) * 50
    event = ResultCorrected(pod.id, None, Result(pod.players, deals))
    return SeasonEventRow(2**40, 1, pod.players[0], 1, "*" * 200, True, 2**40, event)


def report(view: SeasonView) -> list[SeasonEventRow]:
    """Return a player's report of a deal and the staff's answer, both of the greatest length."""
    pod = max(view.season.pods.values(), key=lambda pod: len(pod.players))
    reported = DealReported(pod.id, 2**40, 40, pod.players[0])
    answered = DealReportAnswered(REPORT, upheld=True)
    return [
        SeasonEventRow(REPORT, 1, pod.players[0], 1, "*" * 500, False, None, reported),
        SeasonEventRow(REPORT + 1, 1, pod.players[1], 2, "*" * 500, True, REPORT, answered),
    ]


def _diary(**options) -> Diary:
    """A season with as many tables of five, the largest size, as possible."""
    return Diary("pods", players=PLAYERS, rounds=8, **options)


def _team_diary() -> Diary:
    """The most teams possible; each one invites players."""
    diary = _diary(team_size=5)
    for number, captain in enumerate(range(1, PLAYERS, 5), 1):
        diary.note(TeamFormed(number, "*" * 24, captain))
        for player in range(captain + 1, captain + 5):
            diary.note(TeamInvited(number, player))
        for player in range(captain + 1, captain + 4):
            diary.note(TeamJoined(number, player))
    return diary


def _in_teams() -> Largest:
    return Largest("in teams", view_of(_team_diary()), (SignupPost(),), (TeamNotice(1, 5),))


def _teams_played() -> Largest:
    diary = _team_diary()
    for pod in diary.draw():
        diary.play(pod, deals=5)
    return Largest("teams played", view_of(diary, pods=True), (StandingsPost(1), StandingsPost(0)), ())


def _signing_up() -> Largest:
    diary = _diary(confirm_hours=48)
    for player in EVERYBODY:
        diary.note(SignedUp(player + PLAYERS))
        diary.note(CheckedIn(player, 1))
    view = view_of(diary)
    notices = (
        InvitationNotice(PLAYERS + 1),
        AdmissionNotice(PLAYERS + 1),
        EndNotice(1),
        CheckInReminder(1, 24, PLAYERS + 1),
    )
    return Largest("signing up", view, (SignupPost(), CheckInPost(1), DelayPost(1)), notices)


def _to_play() -> Largest:
    """All pods wait for their match, one player did not come and another has left; many could stand in."""
    diary = _diary()
    for player in EVERYBODY:
        diary.note(SignedUp(player + PLAYERS))
        diary.note(CheckedIn(player + PLAYERS, 2))
    pods = diary.draw()
    for pod in pods:
        diary.note(NoShowBooked(pod, diary.season.pods[pod].players[0]))
    for pod in pods:
        diary.note(Withdrawn(diary.season.pods[pod].players[1]))
    first = diary.season.pods[pods[0]].players
    posts = (
        RoundPost(1),
        CheckInPost(1),
        CheckInPost(2),
        SignupPost(),
        FreeSeatPost(pods[0], first[0]),
        DelayPost(1),
        StandingsPost(1),
    )
    notices = (
        TableNotice(1, first[2]),
        PlayReminder(1, 24, first[2], 0),
        FreeSeatNotice(pods[0], first[0], PLAYERS + 1),
        ProposalNotice(pods[0], 1, first[2]),
        AgreedNotice(pods[0], 1, first[2]),
        NoShowNotice(pods[0], 0, first[0]),
        TimeReminder(pods[0], 1, first[2]),
    )
    return Largest("to play", view_of(diary, pods=True), posts, notices)


def _disputed() -> Largest:
    """Every pod has reported a home match, everyone objects, and the season is paused."""
    diary = _diary(rotations=10)
    for pod in diary.draw():
        players = diary.season.pods[pod].players
        deals = ((*(-9_999,) * (len(players) - 1), 9_999 * (len(players) - 1)),) * 40
        diary.note(ResultReported(pod, players[0], Result(players, deals)))
        diary.note(ReportAnswered(pod, players[1], agrees=False))
    told = diary.season.pods[1].report
    assert told is not None
    diary.note(SeasonPaused())
    paused_at = diary.season.paused_at
    assert paused_at is not None
    posts = (
        RoundPost(1),
        ReportPost(1),
        DisputePost(1, told.at),
        DisputePost(1, told.at, 2),
        DisputePost(1, 0),
        SignupPost(),
    )
    notices = (ReportNotice(1, 1, 1), PauseNotice(paused_at, 1))
    return Largest("disputed", view_of(diary, pods=True), posts, notices)


def _played() -> Largest:
    """A round played in duplicate, with many absent players."""
    diary = _diary(duplicate=True, rotations=1)
    pods = diary.draw(absent=tuple(range(120, 197)))
    for pod in pods:
        diary.play(pod, deals=4)
    diary.note(BoardsPlayed(1, dict.fromkeys(pods, (1, 2, 3, 4))))
    view = view_of(diary, pods=True)
    view = replace(view, told=replace(view.told, acts=(act(view),) * 60, deal_reports=report(view)))
    posts = (
        RoundPost(1),
        StandingsPost(1),
        BoardsPost(1),
        RulingPost(2**40),
        SignupPost(),
        DealReportPost(REPORT),
    )
    notices = (DealReportNotice(REPORT, 1), MessageNotice(2**40 + 1, 1))
    written = replace(act(view), id=2**40 + 1, body=MembersWritten("*" * 1_000, tuple(EVERYBODY)))
    view = replace(view, told=replace(view.told, acts=(*view.acts, written)))
    return Largest("played", view, posts, notices)


def _in_divisions() -> Largest:
    diary = Diary("divisions", players=PLAYERS, rounds=2, division_size=5)
    for player in EVERYBODY:
        diary.note(DivisionSet(player, 1 + (player - 1) * DIVISIONS // PLAYERS))
    diary.round()
    return Largest("divisions", view_of(diary, pods=True), (RoundPost(1), StandingsPost(1), SignupPost()))


def _in_finals() -> Largest:
    diary = _diary(cut_to=16, final_matches=6, rotations=1)
    diary.round()
    for drawn in draw_stage(diary.season, seeds(diary.season)[:16], 2_000_000_000_000):
        diary.note(drawn)
    stage = [pod for pod in diary.season.pods.values() if pod.stage]
    for pod in stage:
        diary.play(pod.id)
    rounds = sorted({pod.round for pod in stage})
    posts = tuple(kind(number) for kind in (RoundPost, StandingsPost) for number in rounds)
    return Largest("finals", view_of(diary, pods=True), posts)


def _over() -> Largest:
    diary = _diary(rotations=1)
    diary.round()
    for pod in diary.season.pods.values():
        diary.note(SubstituteSet(pod.id, pod.players[0], PLAYERS + pod.id))
    diary.note(SeasonClosed("ab" * 32))
    return Largest("over", view_of(diary, pods=True, closed=True), (EndPost(), SignupPost()))
