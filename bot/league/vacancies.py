"""Seats that come free before a match: whoever has gone keeps none."""

from bot.league.season_transaction import Chronicle
from league.events import Adjudicated, SubstituteSet, Verdict
from league.results import Player
from league.season import Pod, Season


async def vacate(chronicle: Chronicle, player: Player) -> None:
    """Keep no seat for this player at any table whose match has not begun."""
    tables = await chronicle.writer.pod_tables(chronicle.row.id)
    for pod in chronicle.season.pods.values():
        if not pod.over and player in pod.players and pod.id in tables:
            await free_seat(chronicle, pod, player, tables[pod.id])


async def seat_substitute(chronicle: Chronicle, event: SubstituteSet) -> None:
    """Keep the seat at the pod's table for who takes it, and tell him where he plays."""
    tables = await chronicle.writer.pod_tables(chronicle.row.id)
    persons = await chronicle.writer.persons_of([event.player, event.substitute])
    if event.pod in tables:
        await chronicle.writer.set_standing(tables[event.pod], persons[event.player], None)
        await chronicle.writer.set_standing(tables[event.pod], persons[event.substitute], "invited")
        number = chronicle.season.pods[event.pod].round
        await chronicle.tell(f"open:{number}:{event.substitute}", event.substitute)


async def free_seat(chronicle: Chronicle, pod: Pod, player: Player, table_id: int) -> None:
    """Keep no seat for this player at the table of his pod."""
    person = (await chronicle.writer.persons_of([player]))[player]
    await chronicle.writer.set_standing(table_id, person, None)
    await chronicle.tell(f"round:{pod.round}")


def still_playing(pod: Pod, season: Season) -> list[Player]:
    """The players of a pod who have not left the season, by seat."""
    return [player for player in pod.players if not season.has_left(player)]


def nobody_to_play(pod: Pod, playing: list[Player]) -> Adjudicated:
    """The ruling on a pod in which too few are left through no fault of theirs: they get Average+."""
    verdicts: dict[Player, Verdict] = {
        player: "average_plus" if player in playing else "nothing" for player in pod.players
    }
    return Adjudicated(pod.id, verdicts, dict(pod.verdicts) or None)
