"""Playing whole seasons of random acts, each known by its number."""

import asyncio
import random
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from data.store import Store
from playground.in_process import InProcessLoop
from tests.bot.league.house import LeagueHouse, start_anyhow
from tests.in_process import without_threads
from tests.memory import fastest
from tests.season.acts import ladder, machine, players, staff
from tests.season.acts.messages import draw_all
from tests.season.acts.stage import REFUSALS, NothingToDoError, RandomSeason

ACTS, SIGNING_UP = 60, 8
"""How many acts a season has, and how many of them at most before its first round."""
MOST_CHOICES = 10
"""How often another act is chosen because nothing can be done."""
SHARE_OVER = 0.1
"""How often nobody acts any more in a season that is over. The others may take back its end."""
FOLDED_EVERY = 10
"""After every so many acts the recorded events are folded anew, and all messages are drawn."""
SWAPS = 2_000
"""How long a draw is optimised: its quality is tested elsewhere."""
LAST_ACTS = 12
"""How many acts before a fault are told."""


@dataclass
class Played:
    """The results of a season."""

    number: int
    kind: str
    done: Counter[str] = field(default_factory=Counter)
    """How often each act was accepted."""
    refused: int = 0
    """How many acts were refused."""
    deals: int = 0
    matches: int = 0
    """The matches with a result at the end."""
    ended: bool = False
    """Whether it ended; otherwise it waits for the staff, or a promise was broken."""
    broken: list[str] = field(default_factory=list)


def acts_of(season: RandomSeason) -> dict[players.Act, int]:
    """Return what may happen in a season, and how often."""
    acts = {**players.ACTS, **staff.ACTS, **machine.ACTS}
    if season.numbers.get("team_size"):
        acts |= players.TEAM_ACTS
    if season.kind.format == "ladder":
        acts |= ladder.ACTS
    return acts


async def act_at_random(season: RandomSeason, played: Played) -> None:
    """Let players and staff act; then let the season go on alone. Raises whatever is a fault."""
    season.log.append([f"open {season.kind.format}", str(season.numbers)])
    await season.open()
    acts = acts_of(season)
    for number in range(1, ACTS + 1):
        told = (await season.view()).season
        if number == SIGNING_UP and told.settings.format.has_draw and not told.drawn:
            await _try(season, players.come_to_draw, played)
        else:
            await _act(season, acts, played)
        await season.look()
        if number % FOLDED_EVERY == 0:
            await season.house.assert_fold(season.id)
            await draw_all(season)
        if (await season.view()).row.closed_at is not None and season.chance(SHARE_OVER):
            break
    season.log.append(["finish"])
    await season.finish()
    await season.house.assert_fold(season.id)
    await draw_all(season)


async def _act(season: RandomSeason, acts: Mapping[players.Act, int], played: Played) -> None:
    """Choose an act that has an object now, and try it."""
    for act in season.random.choices([*acts], [*acts.values()], k=MOST_CHOICES):
        if await _try(season, act, played):
            return


async def _try(season: RandomSeason, act: players.Act, played: Played) -> bool:
    """Try an act, and count whether it was accepted; returns False if it has no object now."""
    season.log.append([act.__name__])
    try:
        await act(season)
    except NothingToDoError:
        season.log.pop()
        return False
    except REFUSALS as refusal:
        season.note(repr(refusal))
        played.refused += 1
    else:
        played.done[act.__name__] += 1
    return True


async def play(house: LeagueHouse, number: int) -> Played:
    """Play the season with this number in an empty store."""
    season = RandomSeason(house, number)
    played = Played(number, season.kind.name)
    try:
        await act_at_random(season, played)
    except Exception as error:  # noqa: BLE001 - every error that is no refusal is a finding
        played.broken.append(_described(season, error))
        return played
    seen = await season.view()
    played.ended = seen.row.closed_at is not None
    played.matches = sum(pod.result is not None for pod in seen.season.pods.values())
    played.deals = season.counts["deals"]
    return played


def _described(season: RandomSeason, error: Exception) -> str:
    begun, *acts = [" ".join(act) for act in season.log]
    told = [begun, f"... {len(acts)} acts, the last of them:", *acts[-LAST_ACTS:]]
    return "\n".join([*told, "".join(traceback.format_exception(error))])


@contextmanager
def prepared(number: int) -> Iterator[None]:
    """Let the store use no threads, and derive all chance of the bot from a number."""
    drawn = random.Random(f"bot {number}")
    random.seed(number)
    with pytest.MonkeyPatch.context() as patch:
        without_threads(patch)
        patch.setattr("secrets.token_bytes", lambda size=32: drawn.randbytes(size))
        patch.setattr("league.pairing.schedule._MOST_SWAPS", SWAPS)
        patch.setattr("bot.table.flow.seating.start", start_anyhow)
        yield


def play_season(number: int) -> Played:
    """Play a season in a loop and a file of its own."""

    async def play_in(folder: Path) -> Played:
        path = folder / "tiplu.sqlite3"
        store = await Store.open(path)
        try:
            return await play(LeagueHouse(store, options={"database_path": path}), number)
        finally:
            await store.close()

    with (
        TemporaryDirectory(dir=fastest()) as folder,
        prepared(number),
        asyncio.Runner(loop_factory=InProcessLoop) as runner,
    ):
        return runner.run(play_in(Path(folder)))


def play_seasons(numbers: Iterable[int], processes: int) -> Iterator[Played]:
    """Play these seasons in so many processes, and yield their results in order."""
    with get_context("spawn").Pool(processes, maxtasksperchild=50) as pool:
        yield from pool.imap(play_season, numbers)
