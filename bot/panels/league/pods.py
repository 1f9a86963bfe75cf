"""The pods of a round: a line each, with its table, its agreed time or its result; the boards of a round in duplicate; free seats."""

from collections import defaultdict

from bot.league.agenda import due_at, pod_due_at
from bot.league.meetings import is_agreed
from bot.league.season import SeasonView, is_shut
from bot.panels.league.words import points
from bot.ui.items import GREEN, Button, Press, row
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts
from league.book import Book, book, compared_boards
from league.events import PodId
from league.numbers import LAST_STAGE
from league.points import nearest
from league.results import Player
from league.season import Pod
from league.standins import Vacancy, vacancies
from league.statistics.duplicate import BoardScore


def round_title(view: SeasonView, number: int, texts: Texts) -> str:
    """Return the heading of a round with its deadline, or of a day of a ladder."""
    settings = view.season.settings
    if not settings.format.has_draw:
        return texts("league.ladder_day", league=view.title, day=number)
    drawn = view.season.rounds.get(number)
    stage = drawn.stage if drawn else 0
    key = "league.round_final" if stage == LAST_STAGE else "league.round_stage" if stage else "league.round"
    due = due_at(view.row, view.season, number)
    return texts(key, league=view.title, round=number, rounds=settings.rounds, players=stage, at=due)


def pod_lines(view: SeasonView, number: int, texts: Texts) -> list[str]:
    """Return a line for each pod of a round, in order."""
    drawn = view.season.rounds.get(number)
    written = _book(view, drawn.stage if drawn else 0)
    return [_pod_line(view, pod, written, texts) for pod in view.pods_of(number)]


def pod_result(view: SeasonView, pod: Pod, texts: Texts) -> str:
    """Return the league points of each player of a pod that is over, the best first."""
    return _result(view, pod, _book(view, pod.stage), texts)


def _book(view: SeasonView, stage: int) -> Book:
    """Return the book of the ordinary rounds, or of a stage of the finals."""
    return book(view.season, stage=stage) if stage else view.told.book


def absent_names(view: SeasonView, number: int) -> list[str]:
    """Name the players who miss a round. Only players who have reached the finals are expected there."""
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
    if not view.is_awaited(pod):
        return texts("league.pod_over_ruled", pod=number, division=division, result=texts("league.no_result"))
    names = view.names(pod.players)
    if not link:
        return texts("league.pod_to_come", pod=number, division=division, names=names)
    if view.season.open and is_shut(pod, view.tables.get(number)):
        return texts("league.pod_shut", pod=number, division=division, names=names)
    reported = "league.pod_disputed" if pod.report and pod.report.against else "league.pod_reported"
    key = reported if pod.report else "league.pod" if pod.table is None else "league.pod_playing"
    return texts(key, pod=number, division=division, names=names, link=link, when=_notes(view, pod, texts))


def _notes(view: SeasonView, pod: Pod, texts: Texts) -> str:
    """Return notes on a pod whose match has not begun: a deadline of its own, no-shows, the agreed time."""
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
    """Return the league points of each player of a pod, the best first."""
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


def board_lines(
    view: SeasonView, number: int, viewer: Player | None, texts: Texts
) -> tuple[list[str], int | None]:
    """List the players of a round by mean margin over the same seats elsewhere, and find the viewer's line.

    The list is empty before the boards are compared.
    """
    pods = {pod.id: pod for pod in view.pods_of(number)}
    made: defaultdict[Player, list[BoardScore]] = defaultdict(list)
    for pod_id, boards in compared_boards(view.season, pods.values()).items():
        result = pods[pod_id].result
        for scores in boards.values():
            for player, score in zip(result.players if result else (), scores, strict=True):
                made[player].append(score)
    means = {
        player: nearest(sum(score.points for score in scores), len(scores)) for player, scores in made.items()
    }
    ranked = sorted(made, key=lambda player: (-means[player], player))
    lines = [
        texts(
            "league.board_line",
            rank=1 + sum(means[other] > means[player] for other in made),
            name=view.name(player),
            points=points(means[player], sign=True),
            beaten=round(100 * sum(score.beaten for score in made[player]) / len(made[player])),
            boards=len(made[player]),
        )
        for player in ranked
    ]
    return lines, ranked.index(viewer) if viewer in made else None


def seat_panel(view: SeasonView, pod_id: PodId, player: Player, texts: Texts) -> Panel:
    """Offer a seat for as long as it is free."""
    pod = view.season.pods.get(pod_id)
    free = vacancies(view.season, pod) if pod else ()
    seat = next((vacancy for vacancy in free if vacancy.player == player), None)
    if seat is None:
        return panel(text(texts("league.seat_gone", league=view.title, pod=pod_id)))
    return panel(
        text(texts("league.seat_title", league=view.title) + "\n" + seat_words(view, seat, texts)),
        row(seat_button(view, seat, texts)),
    )


def seat_words(view: SeasonView, seat: Vacancy, texts: Texts) -> str:
    """Describe a free seat: the other players of the match, its deadline, and the time that they have agreed on."""
    pod, time = view.season.pods[seat.pod], view.times.get(seat.pod)
    free = {vacancy.player for vacancy in vacancies(view.season, pod)}
    said = texts(
        "league.seat_free",
        pod=seat.pod,
        player=view.name(seat.player),
        others=view.names(player for player in pod.players if player not in free),
        at=pod_due_at(view.row, view.season, pod),
    )
    if time is None or time.proposal.at <= view.now or not is_agreed(view.season, pod, time, view.now):
        return said
    return f"{said} {texts('league.next_time', at=time.proposal.at)}"


def seat_button(view: SeasonView, seat: Vacancy, texts: Texts) -> Button:
    """Return the button that takes the seat; the first press wins."""
    press = Press("league-seat", view.row.id, seat.pod, str(seat.player))
    return Button(press, texts("league.take_seat", pod=seat.pod), style=GREEN)
