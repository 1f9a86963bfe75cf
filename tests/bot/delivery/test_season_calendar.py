"""Matches on the server's calendar: each has an event of its own."""

from types import SimpleNamespace
from typing import Any

from bot.delivery.season_calendar import bring_up_to_date
from bot.league.meetings import Meetings
from bot.people import NamedPerson
from bot.words.texts import texts
from tests.bot.league.house import DAY, LeagueHouse, house

__all__ = ["house"]


class Calendar:
    """The calendar of a server in which the bot may create events."""

    unavailable = False
    me = SimpleNamespace(id=1, guild_permissions=SimpleNamespace(create_events=True))

    def __init__(self) -> None:
        self.events: dict[int, Any] = {}

    async def fetch_scheduled_events(self, *, with_counts: bool) -> list[Any]:
        assert not with_counts
        return [*self.events.values()]

    async def create_scheduled_event(self, **given: Any) -> Any:
        event = SimpleNamespace(id=100 + len(self.events), creator_id=self.me.id, **given)
        event.edit = event.delete = self.refuse
        self.events[event.id] = event
        return event

    async def refuse(self, **_: object) -> None:
        """Matches that share an event would change and delete it."""
        raise AssertionError


async def test_matches_whose_tables_are_not_posted_have_an_event_each(house: LeagueHouse):
    season = await house.open(rounds=1, signup_days=1, confirm_hours=0, round_days=7)
    await house.join(season, *range(11, 19))
    await house.until(season, (await house.view(season)).row.starts_at)
    view, meetings, at = await house.view(season), Meetings(house.leagues), house.clock.at + 2 * DAY
    for pod in view.pods_of(1):
        first, *others = [NamedPerson(view.people[player].id, "P") for player in pod.players]
        await meetings.propose(season, first, at, next(house.ids))
        for other in others:
            await meetings.agree(season, pod.id, at, other, next(house.ids))
    view, calendar = await house.view(season), Calendar()
    assert len({view.link(pod.id) for pod in view.pods_of(1)}) == 1
    client: Any = SimpleNamespace(get_guild=lambda _: calendar, is_ready=lambda: True)
    for pod in view.pods_of(1):
        await bring_up_to_date(client, view, pod.id, None, texts())
    names = [event.name for event in calendar.events.values()]
    assert names == [f"Autumn · pod {pod.id}" for pod in view.pods_of(1)]
