"""A season within one transaction: its events so far, ways to add more; and as it is shown, read in one snapshot."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import sub
from typing import Final, Unpack

import structlog

from bot.errors import UserError
from bot.people import NamedPerson
from bot.words.names import person_name, shown_name, table_address
from data.errors import EventsDamaged
from data.ids import SeasonId
from data.outbox_keys import CalendarEventKey, SeasonPostKey, Subject, season_key
from data.privacy.limits import Limit
from data.repositories.people import PersonRow
from data.season_posts import DisputePost, NoShowNotice, PersonalPost, PublicPost, ReportPost
from data.season_rows import PodTimeRow, PostRow, SeasonChanges, SeasonEventRow, SeasonProjection, SeasonRow
from data.transaction import ReadTransaction, WriteTransaction
from data.values import TableRow
from league.events import Event, PodId
from league.finals import champion
from league.ids import PersonId
from league.matches.times import BLOCKS, Hours, common_times
from league.results import Player
from league.season import Member, Pod, Season, after
from league.standings import ShownStandings, shown
from league.standins import vacancies
from league.times import DAY

log = structlog.get_logger(__name__)


async def read_season(db: ReadTransaction, season_id: SeasonId) -> tuple[SeasonRow, Season, int]:
    """Return a season's row, the fold of its events, and the number of the last event.

    Raises UserError if there is no such season.
    """
    row = await db.seasons.get(season_id)
    if row is None:
        raise UserError("league.none")
    told = await db.seasons.projection(season_id)
    return row, told.season, told.last


def require_open(row: SeasonRow) -> None:
    """Raise UserError if the season is closed."""
    if row.closed_at is not None:
        raise UserError("league.closed", league=shown_name(row.name))


async def read_former(db: ReadTransaction, row: SeasonRow, most: int) -> list[Season]:
    """Return the seasons of the league among the `most` before this one, the latest first, without damaged ones."""
    found: list[Season] = []
    former: SeasonRow | None = row
    for _ in range(most):
        former = await db.seasons.get(former.former) if former.former is not None else None
        if former is None:
            break
        try:
            found.append((await db.seasons.projection(former.id)).season)
        except EventsDamaged:
            log.exception("leagues.former_left_out", season=former.id)
    return found


@dataclass(slots=True)
class SeasonTransaction:
    """One season during a change. The store has one writer at a time, so no other change can intervene."""

    db: WriteTransaction
    now: int
    row: SeasonRow
    season: Season
    last: int
    """The number of the last event."""

    @classmethod
    async def of(cls, db: WriteTransaction, season_id: SeasonId, now: int) -> "SeasonTransaction":
        """Load a season; raises UserError if there is no such season."""
        return cls(db, now, *await read_season(db, season_id))

    async def add(
        self,
        *events: Event,
        actor: Player | None = None,
        reason: str = "",
        staff: bool = False,
        corrects: int | None = None,
    ) -> SeasonEventRow | None:
        """Add events to the season; returns the row of the last one."""
        row = None
        for event in events:
            row = await self.db.seasons.add_event(
                self.row.id, event, self.now, actor=actor, reason=reason, staff=staff, corrects=corrects
            )
            before, self.season, self.last = self.season, after(self.season, row.entry), row.id
            await self._tell_no_shows(before)
        return row

    async def _tell_no_shows(self, before: Season) -> None:
        """Notify the players whom the latest event books as no-shows."""
        for pod_id, pod in self.season.pods.items():
            was = before.pods.get(pod_id)
            if was is not pod and pod.no_shows:
                for player in sorted(pod.no_shows - (was.no_shows if was else frozenset())):
                    await self.request_post(NoShowNotice(pod_id, pod.due, player))

    async def change(self, **changes: Unpack[SeasonChanges]) -> None:
        """Change columns of the season's row."""
        self.row = await self.db.seasons.update(self.row, **changes)

    async def look_again(self) -> None:
        """Have the worker check the season at once: the new events may have consequences, also in a closed season."""
        await self.change(due_at=self.now)

    async def request_post(self, post: PublicPost | PersonalPost) -> None:
        """Request that a message of the season be sent, or updated where it is."""
        key = season_key(self.row.id, post)
        await self.db.seasons.keep_post(key)
        await self.db.outbox.ask(key, self.now)

    def require_open(self) -> None:
        """Raise UserError if the season is closed."""
        require_open(self.row)


async def show_reports(season_tx: SeasonTransaction, pod: PodId) -> None:
    """Update the messages about this pod's reports, and those about a dispute, if any."""
    for post in await season_tx.db.seasons.posts(season_tx.row.id):
        if isinstance(post, ReportPost | DisputePost) and post.pod == pod:
            await season_tx.request_post(post)


def is_shut(pod: Pod, table: TableRow | None) -> bool:
    """Return whether the table of a match without a result or a report is closed: only the staff can decide it, or open another."""
    return table is not None and table.status == "closed" and not pod.over and pod.report is None


async def own_pod(
    db: ReadTransaction, season_id: SeasonId, season: Season, person: NamedPerson
) -> tuple[Player, Pod]:
    """Return the player and their earliest pod with a match not begun; raises UserError if there is none.

    A match whose report is disputed, or whose table is closed, comes last: it waits for the staff, while the next one is to be played.
    """
    player = await db.seasons.player_of(person.id)
    tables = await db.seasons.pod_tables(season_id)
    waiting = [
        pod
        for pod in season.pods.values()
        if player in pod.players and not pod.over and pod.table is None and pod.id in tables
    ]
    if player is None or not waiting:
        raise UserError("league.nothing_to_play")
    rows = await db.tables.get_many(tables[pod.id] for pod in waiting)

    def order(pod: Pod) -> tuple[bool, int, PodId]:
        return pod.is_disputed or is_shut(pod, rows.get(tables[pod.id])), pod.round, pod.id

    return player, min(waiting, key=order)


async def require_member(
    season_tx: SeasonTransaction, pod_id: PodId, person: NamedPerson
) -> tuple[Player, Pod]:
    """Return the player and the pod with that number; raises UserError if the player is not in it."""
    player = await season_tx.db.seasons.player_of(person.id)
    pod = season_tx.season.pods.get(pod_id)
    if player is None or pod is None or player not in pod.players:
        raise UserError("league.not_your_pod")
    return player, pod


MOST_CHANGES: Final = 30
"""The most changes of their entry, check-in or team by one member in a day. Each is recorded for good."""
MOST_PROPOSALS: Final = 10
"""The most times that one member proposes in a day. Each notifies the others of the pod."""


async def count_change(season_tx: SeasonTransaction, person_id: PersonId) -> None:
    """Count a change of a member's entry, check-in or team; raises UserError if they made too many today."""
    await _count(season_tx, person_id, "entry", MOST_CHANGES, "league.changed_often")


async def count_proposal(season_tx: SeasonTransaction, person_id: PersonId) -> None:
    """Count a proposed time; raises UserError if the member has proposed too many today."""
    await _count(season_tx, person_id, "proposal", MOST_PROPOSALS, "league.proposed_often")


async def _count(
    season_tx: SeasonTransaction, person_id: PersonId, kind: Limit, most: int, refusal: str
) -> None:
    limits, season_id, now = season_tx.db.limits, season_tx.row.id, season_tx.now
    acts = [limit for limit in await limits.limits(person_id, kind, now) if limit.about == season_id]
    if len(acts) >= most:
        raise UserError(refusal, most=most, again=acts[0].until)
    await limits.add_limit(person_id, kind, season_id, now + DAY)


PUBLIC = (SeasonPostKey.kind, CalendarEventKey.kind)
"""The kinds of a season's messages that everyone may read."""


@dataclass(frozen=True)
class SeasonView:
    """One season at one moment, with names, tables and times."""

    row: SeasonRow
    told: SeasonProjection
    now: int
    people: Mapping[Player, PersonRow]
    tables: Mapping[PodId, TableRow]
    """The latest table of every pod that has one."""
    times: Mapping[PodId, PodTimeRow]
    posts: Mapping[PublicPost, PostRow]
    staff_role_id: int | None = None
    """The role of the server's staff."""
    failing_posts: int = 0
    """How many public messages are pending because they could not be sent."""

    @property
    def season(self) -> Season:
        """The fold of its events."""
        return self.told.season

    @property
    def acts(self) -> tuple[SeasonEventRow, ...]:
        """The rulings of the staff and of the season itself, in order."""
        return self.told.acts

    @property
    def called_id(self) -> PersonId | None:
        """The person who opened the season.

        They are called in place of the staff if the server has no staff role.
        """
        founder = self.people.get(self.told.founder or 0)
        return founder.id if founder is not None and self.staff_role_id is None else None

    @cached_property
    def by_person(self) -> dict[int, Player]:
        """The players by person id."""
        return {person.id: player for player, person in self.people.items()}

    def member(self, person_id: PersonId) -> Member | None:
        """Return this person as a member; None for anyone else."""
        player = self.by_person.get(person_id)
        return None if player is None else self.season.members.get(player)

    def name(self, player: Player) -> str:
        """Return a player's name as message text."""
        return shown_name(self.plain_name(player))

    def plain_name(self, player: Player) -> str:
        """Return a player's name as plain text."""
        person = self.people.get(player)
        return person_name(PersonId(player), person.names.in_server(self.row.guild_id) if person else "")

    def names(self, players: Iterable[Player]) -> str:
        """Return the names of several players, as message text."""
        return ", ".join(map(self.name, players))

    def link(self, pod: PodId) -> str | None:
        """Return the link to the table of a pod; None if it is not shown."""
        table = self.tables.get(pod)
        return None if table is None else table_address(table)

    @property
    def plain_title(self) -> str:
        """The season's title as plain text."""
        return self.season.name

    @property
    def title(self) -> str:
        """The season's title as message text."""
        return shown_name(self.season.name)

    def standings(self, division: int = 0, through: int | None = None) -> ShownStandings:
        """Return the standings now, or after a round."""
        members = self.season.members.values()
        return shown(
            self.told.standings(division, through),
            {member.player: self.plain_name(member.player) for member in members},
            self.plain_title,
            rounds=self.season.settings.rounds,
            final=self.row.closed_at is not None,
            at=self.now,
            left=frozenset(member.player for member in members if member.withdrawn is not None),
        )

    @property
    def divisions(self) -> tuple[int, ...]:
        """The numbers of the divisions; only 0 if the season has none."""
        return self.told.divisions

    def champion(self) -> Player | None:
        """Return the champion once the finals, or else the table, have decided the season; None before."""
        return champion(self.season)

    @property
    def current_round(self) -> int:
        """The latest round whose tables are open; for a ladder, the latest day with a match."""
        pods = self.season.pods
        shown = self.tables.keys() & pods.keys() if self.season.settings.format.has_draw else pods
        return max((pods[pod].round for pod in shown), default=max(self.season.drawn, 1))

    def hours_of(self, player: Player) -> Hours:
        """Return when this player plays, by default in the league's hours of play in their time zone."""
        settings, person = self.season.settings, self.people.get(player)
        chosen = person.settings.play_hours if person else None
        first, count = BLOCKS[chosen] if chosen else (settings.play_hours[0], -sub(*settings.play_hours))
        return Hours((person.settings.timezone if person else None) or settings.timezone, first, count)

    def common_times(self, pod: Pod, due: int, most: int) -> list[int]:
        """Return moments that suit everyone in a pod, in milliseconds of UTC.

        There are none if no one has said when they play.
        """
        people = [self.people.get(player) for player in pod.expected]
        if not any(person and person.settings.play_hours for person in people):
            return []
        hours, settings = [self.hours_of(player) for player in pod.expected], self.season.settings
        return common_times(hours, self.now, due, settings.timezone, settings.draw_hour, most)

    def pods_of(self, number: int) -> list[Pod]:
        """Return the pods of a round, in order."""
        return sorted(
            (pod for pod in self.season.pods.values() if pod.round == number), key=lambda pod: pod.id
        )

    def is_awaited(self, pod: Pod) -> bool:
        """Return whether a match is to be played, or its report answered, also after the season is closed."""
        return self.season.can_be_played(pod) or (pod.report is not None and not pod.over)

    def waiting_pod(self, player: Player) -> Pod | None:
        """Return the earliest pod in which this player has a match to play, or a report to answer.

        Pods that wait for the staff come last. Once the season is closed, matches that have not begun are not played. Players who
        have left the season begin no match.
        """
        has_left = self.season.has_left(player)
        pods = [
            pod
            for pod in self.season.pods.values()
            if self.is_awaited(pod) and player in pod.expected and pod.id in self.tables
            if not has_left or pod.table is not None or pod.report is not None
        ]

        def order(pod: Pod) -> tuple[bool, int, PodId]:
            return pod.is_disputed or is_shut(pod, self.tables.get(pod.id)), pod.round, pod.id

        return min(pods, key=order, default=None)


async def view_season(
    db: ReadTransaction,
    season_id: SeasonId,
    now: int,
    *,
    reader: Player | None = None,
    told: SeasonProjection | None = None,
) -> SeasonView:
    """Read the view of a season; raises UserError if there is no such season.

    With `reader` it has only the people and tables that a direct message to this player can name. Hundreds of
    these are sent together, so their cost must not grow with the season. `told` is the season's projection if it was
    read already.
    """
    row = await db.seasons.get(season_id)
    if row is None:
        raise UserError("league.none")
    told = told or await db.seasons.projection(season_id)
    pods = await db.seasons.pod_tables(season_id)
    if reader is None:
        players = {player for pod in told.season.pods.values() for player in pod.players}
        players |= told.season.members.keys() | told.actors | await db.seasons.players_written_to(season_id)
    else:
        own = _pods_shown_to(told.season, reader)
        pods = {pod.id: pods[pod.id] for pod in own if pod.id in pods}
        players = _players_shown_to(told, reader, own)
    persons = await db.seasons.persons_of(players)
    people = await db.people.get_many(persons.values())
    tables = await db.tables.get_many(pods.values())
    return SeasonView(
        row=row,
        told=told,
        now=now,
        people={player: people[person] for player, person in persons.items() if person in people},
        tables={pod: tables[table_id] for pod, table_id in pods.items() if table_id in tables},
        times={time.pod: time for time in await db.seasons.pod_times(season_id)},
        posts=await db.seasons.posts(season_id),
        staff_role_id=(await db.guilds.settings(row.guild_id)).staff_role_id,
        failing_posts=await db.outbox.count_failing(Subject.SEASON, season_id, PUBLIC),
    )


def _pods_shown_to(season: Season, reader: Player) -> list[Pod]:
    """Return the pods of a player, and those with a free seat that may be offered to them."""
    return [
        pod
        for pod in season.pods.values()
        if reader in pod.players or reader in pod.drawn or vacancies(season, pod)
    ]


def _players_shown_to(told: SeasonProjection, reader: Player, pods: Iterable[Pod]) -> set[Player]:
    """Return the players of these pods and of the reader's team and inviting teams, and the staff.

    The staff are included because they may have written.
    """
    teams = [team for team in told.season.teams.values() if reader in {*team.members, *team.invited}]
    answers = {row.actor for row in told.deal_reports if row.actor is not None}
    return {reader, told.founder or 0} | answers.union(
        *((*pod.players, *pod.drawn) for pod in pods), *((*team.members, *team.invited) for team in teams)
    )
