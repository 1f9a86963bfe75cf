"""Every message and every list of a season can be drawn, whatever people did."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from bot.errors import UserError
from bot.history.season_pages import calendar_file
from bot.league.season import SeasonView, view_season
from bot.panels.league.desk import desk_panel, matter_panel
from bot.panels.league.direct_messages import next_panel, reminder_panel
from bot.panels.league.lists import list_panel
from bot.panels.league.people import leaving_panel
from bot.panels.league.posts import post_panel
from bot.people import NamedPerson
from bot.words.texts import texts
from data.outbox_keys import SeasonKey, SeasonPostKey, SeasonReminderKey
from data.season_posts import CalendarPost, ChannelPost, PersonalPost
from data.transaction import ReadTransaction
from tests.season.acts.stage import RandomSeason

MOST = 25
"""So many messages that wait to be sent are drawn at a time."""
FOR_EVER = 10**15
LISTS = [f"{what}-{number}" for what in ("pods", "people", "log", "numbers") for number in range(3)]


async def draw_all(season: RandomSeason) -> None:
    """Draw what waits to be sent, what is in the channel, and what people may ask for.

    Raises every error but UserError, with which a panel says that there is nothing to show.
    """
    public, personal = await _waiting(season)
    view = await season.view()
    shown = [post for post in view.posts if not isinstance(post, CalendarPost)]
    for post in [*season.random.sample(public, min(MOST, len(public))), *shown]:
        with suppress(UserError):
            post_panel(view, post, texts())
    for post in season.random.sample(personal, min(MOST, len(personal))):
        reader = await season.house.store.read(
            lambda db: view_season(db, season.id, season.house.clock.at, reader=post.player)
        )
        reminder_panel(reader, post, texts())
    for draw in _asked_for(view):
        with suppress(UserError):
            draw()


async def _waiting(season: RandomSeason) -> tuple[list[ChannelPost], list[PersonalPost]]:
    """Return the messages of the season that are still to be sent: public ones, and ones to a player."""

    async def read(db: ReadTransaction) -> list[SeasonKey]:
        rows = await db.outbox.due(FOR_EVER, 100_000)
        return [row.key for row in rows if isinstance(row.key, SeasonKey) and row.key.season == season.id]

    keys = await season.house.store.read(read)
    public = [key.post for key in keys if isinstance(key, SeasonPostKey)]
    return public, [key.post for key in keys if isinstance(key, SeasonReminderKey)]


def _asked_for(view: SeasonView) -> Iterator[Callable[[], object]]:
    """Yield functions that draw what people may ask for."""
    say = texts()
    yield lambda: desk_panel(view, say)
    yield lambda: calendar_file(view, say)
    for player in view.season.members:
        yield partial(next_panel, view, player, say)
        yield partial(matter_panel, view, "player", player, say)
        if player in view.people:
            yield partial(leaving_panel, view, NamedPerson(view.people[player].id, "Name"), say)
    for pod in view.season.pods:
        yield partial(matter_panel, view, "pod", pod, say)
    for name in LISTS:
        yield partial(list_panel, view, name, 0, None, say)
