"""Rulings of those who look after a league: first shown with what they would change, then confirmed, then public.

Between the two an act is a draft of its author; what has happened in the season meanwhile makes the draft old.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.errors import Sorry
from bot.league.free_seats import offer_all, show_offers
from bot.league.leagues import Leagues
from bot.league.pod_tables import open_tables
from bot.league.ruling_events import WrongPoints
from bot.league.season_transaction import Chronicle
from bot.league.vacancies import seat_substitute, still_playing, vacate
from bot.people import Person
from bot.words.names import person_name, shown_name
from data.season_rows import DraftRow, SeasonEventRow
from data.store import Reader
from league.events import Entry, Event, PodReopened, SeasonReopened, SubstituteSet, Withdrawn
from league.results import Player
from league.season import Season, after
from league.standings import Row, standings

Make = Callable[[Season, Sequence[SeasonEventRow], dict[int, Player]], Event]
"""Makes the event from the season, its list, and the players by the ids of the people who were named."""


@dataclass(frozen=True, slots=True)
class Change:
    """What an act would do to one line of the standings; None where there is no line."""

    player: Player
    before: Row | None
    after: Row | None


@dataclass(frozen=True, slots=True)
class Preview:
    """An act that waits to be confirmed."""

    draft: int
    row: SeasonEventRow
    changes: tuple[Change, ...]


class Rulings:
    """That the person may is for the caller to know."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def prepare(
        self,
        season_id: int,
        staff: Person,
        reason: str,
        make: Make,
        named: Sequence[Person] = (),
        corrects: int | None = None,
    ) -> Preview:
        """Put an act together and tell what it would change. Nothing is entered yet."""
        async with self._leagues.writing(season_id) as chronicle:
            writer = chronicle.writer
            players: dict[int, Player] = {}
            for person in (staff, *named):
                await writer.keep_person(person.id, person.name, chronicle.now)
                players[person.id] = await writer.keep_player(person.id)
            try:
                event = make(chronicle.season, await writer.season_events(season_id), players)
            except WrongPoints as error:
                names = await _names(writer, error.players)
                raise Sorry("league.bad_points", count=len(error.players), names=names) from None
            await _require_possible(chronicle, event)
            changes = differences(chronicle.season, _with(chronicle, event))
            draft = await writer.set_draft(
                DraftRow(0, season_id, players[staff.id], chronicle.last, reason, corrects, event)
            )
            row = SeasonEventRow(
                0,
                season_id,
                players[staff.id],
                chronicle.now,
                reason,
                staff=True,
                corrects=corrects,
                body=event,
            )
        return Preview(draft, row, changes)

    async def enact(
        self, season_id: int, draft_id: int, staff: Person, interaction_id: int
    ) -> SeasonEventRow:
        """Enter what was shown; raises Sorry for another person's draft, and where the season has moved on."""
        async with self._leagues.writing(season_id, interaction_id) as chronicle:
            player = await chronicle.writer.player_of(staff.id)
            draft = await chronicle.writer.draft(draft_id)
            if draft is None or draft.season != season_id or draft.actor != player:
                raise Sorry("league.not_your_draft")
            if draft.last != chronicle.last:
                raise Sorry("league.moved_on")
            await _require_possible(chronicle, draft.body)
            row = await chronicle.add(
                draft.body, actor=player, reason=draft.reason, staff=True, corrects=draft.corrects
            )
            await chronicle.writer.clear_draft(draft_id)
            if row is None:
                raise ValueError("an act is an event")
            await _follow(chronicle, row)
        return row


async def _names(reader: Reader, players: Sequence[Player]) -> str:
    """What these are called, in this order, as it goes into a message."""
    persons = await reader.persons_of(players)
    people = await reader.people(persons.values())
    return ", ".join(
        shown_name(person_name(own, people[own].name)) for own in map(persons.get, players) if own
    )


async def _require_possible(chronicle: Chronicle, event: Event) -> None:
    """Refuse to open a season that another has followed, or a pod whose table is open; raises Sorry."""
    row = chronicle.row
    if isinstance(event, PodReopened):
        if row.closed_at is not None:
            raise Sorry("league.reopen_first", league=shown_name(row.name), pod=event.pod)
        table_id = (await chronicle.writer.pod_tables(row.id)).get(event.pod)
        table = None if table_id is None else await chronicle.writer.table(table_id)
        if table is None or table.status != "closed":
            raise Sorry("league.table_is_open", pod=event.pod)
    if isinstance(event, SeasonReopened):
        seasons = await chronicle.writer.seasons_of_guild(row.guild_id)
        if any(own.former == row.id for own in seasons):
            raise Sorry("league.reopened_too_late", league=shown_name(row.name))


def _with(chronicle: Chronicle, event: Event) -> Season:
    try:
        return after(chronicle.season, Entry(chronicle.last + 1, chronicle.now // 1000, event))
    except KeyError:
        raise Sorry("league.not_a_member") from None


def differences(before: Season, changed: Season) -> tuple[Change, ...]:
    """The lines of the standings that differ, over all divisions, the best place first."""
    found: list[Change] = []
    for division in sorted({own.division for own in changed.members.values()}):
        old = {row.player: row for row in standings(before, division=division).rows}
        new = {row.player: row for row in standings(changed, division=division).rows}
        for player in dict.fromkeys([*new, *old]):
            was, becomes = old.get(player), new.get(player)
            if was is None or becomes is None or (was.rank, was.points) != (becomes.rank, becomes.points):
                found.append(Change(player, was, becomes))
    return tuple(found)


async def _follow(chronicle: Chronicle, row: SeasonEventRow) -> None:
    """What an act brings with it: seats, the messages that show it, and a word to everybody."""
    event = row.body
    if isinstance(event, Withdrawn):
        await vacate(chronicle, event.player)
        await offer_all(chronicle)
    if isinstance(event, SubstituteSet):
        await seat_substitute(chronicle, event)
        await show_offers(chronicle, event.pod)
    if isinstance(event, PodReopened):
        await _open_again(chronicle, event)
    if isinstance(event, SeasonReopened):
        await chronicle.change(closed_at=None)
    for key in await chronicle.writer.posts(chronicle.row.id):
        if key == "signup" or key == "closed" or key.startswith(("round:", "standings:")):
            await chronicle.tell(key)
    await chronicle.tell(f"ruling:{row.id}")
    await chronicle.look_again()


async def _open_again(chronicle: Chronicle, event: PodReopened) -> None:
    """Open another table for a pod whose first one is closed, and tell its players."""
    pod = chronicle.season.pods[event.pod]
    playing = still_playing(pod, chronicle.season)
    await chronicle.writer.clear_pod_time(chronicle.row.id, pod.id)
    await open_tables(chronicle, [(pod, playing)])
    table_id = (await chronicle.writer.pod_tables(chronicle.row.id))[pod.id]
    for player in playing:
        await chronicle.tell(f"open:{pod.round}:{player}:{table_id}", player)
