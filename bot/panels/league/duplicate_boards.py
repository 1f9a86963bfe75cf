"""The boards of a round in duplicate: the results of all players with the same cards."""

from collections import defaultdict

from bot.league.season_view import SeasonView
from bot.panels.league.points import points
from bot.words.texts import Texts
from league.book import compared_boards
from league.points import nearest
from league.results import Player
from league.statistics.duplicate import BoardScore


def board_lines(
    view: SeasonView, number: int, viewer: Player | None, texts: Texts
) -> tuple[list[str], int | None]:
    """The players of a round by their mean margin over the same seats at other tables, and which line is the viewer's.

    Empty before the boards are compared.
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
