"""The offer to stand-ins of a seat that has become free before a match."""

from bot.league.agenda import pod_due_at
from bot.league.season_view import SeasonView
from bot.ui.items import GREEN, Button, Press, row
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts
from league.events import PodId
from league.results import Player
from league.standins import Vacancy, vacancies


def seat_panel(view: SeasonView, pod_id: PodId, player: Player, texts: Texts) -> Panel:
    """The offer of a seat, for as long as it is free."""
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
    """Describe a free seat: the other players of the match, and its deadline."""
    pod = view.season.pods[seat.pod]
    free = {vacancy.player for vacancy in vacancies(view.season, pod)}
    return texts(
        "league.seat_free",
        pod=seat.pod,
        player=view.name(seat.player),
        others=view.names(player for player in pod.players if player not in free),
        at=pod_due_at(view.row, view.season, pod),
    )


def seat_button(view: SeasonView, seat: Vacancy, texts: Texts) -> Button:
    """The button that takes the seat; the first press wins."""
    press = Press("league-seat", view.row.id, seat.pod, str(seat.player))
    return Button(press, texts("league.take_seat", pod=seat.pod), style=GREEN)
