"""The pods of a round: a line each, with its table, its agreed time or its result."""

from bot.league.agenda import due_at
from bot.league.season_view import SeasonView
from bot.panels.league.points import points
from bot.words.texts import Texts
from league.book import Book, book
from league.numbers import LAST_STAGE
from league.season import Pod


def round_title(view: SeasonView, number: int, texts: Texts) -> str:
    """The heading of a round with its deadline, or of a day of a ladder."""
    settings = view.season.settings
    if not settings.format.has_draw:
        return texts("league.ladder_day", league=view.title, day=number)
    drawn = view.season.rounds.get(number)
    stage = drawn.stage if drawn else 0
    key = "league.round_final" if stage == LAST_STAGE else "league.round_stage" if stage else "league.round"
    due = due_at(view.row, view.season, number)
    return texts(key, league=view.title, round=number, rounds=settings.rounds, players=stage, at=due)


def pod_lines(view: SeasonView, number: int, texts: Texts) -> list[str]:
    """A line for each pod of a round, in order."""
    drawn = view.season.rounds.get(number)
    written = _book(view, drawn.stage if drawn else 0)
    return [_pod_line(view, pod, written, texts) for pod in view.pods_of(number)]


def pod_result(view: SeasonView, pod: Pod, texts: Texts) -> str:
    """The league points of each player of a pod that is over, the best first."""
    return _result(view, pod, _book(view, pod.stage), texts)


def _book(view: SeasonView, stage: int) -> Book:
    """The book of the ordinary rounds, or of a stage of the finals."""
    return book(view.season, stage=stage) if stage else view.told.book


def absent_names(view: SeasonView, number: int) -> list[str]:
    """The players who miss a round. Only players who have reached the finals are expected there."""
    drawn = view.season.rounds.get(number)
    if drawn and drawn.stage:
        return []
    return [view.name(player) for player, at in sorted(view.season.absences) if at == number]


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
    """Notes on a pod whose match has not begun: a deadline of its own, no-shows, the agreed time."""
    if pod.table is not None:
        return ""
    time = view.times.get(pod.id)
    return (
        (texts("league.pod_until", at=pod.due) if pod.due else "")
        + (texts("league.pod_again", deal=pod.again[0] + 1) if pod.again else "")
        + (texts("league.pod_at", at=time.proposal.at) if time and time.proposal.at > view.now else "")
        + (texts("league.pod_missed", names=view.names(sorted(pod.missed))) if pod.missed else "")
    )


def _result(view: SeasonView, pod: Pod, written: Book, texts: Texts) -> str:
    """The league points of each player of a pod, the best first."""
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
