"""Limits of a person, such as tables opened within the hour, today's attempts, a host's blocks, seasons left, and bans.

A limit is stored under a keyed digest of the person's id, without anything else about the person, and is looked up only
by that digest. So it keeps its full length when the person is forgotten: `data.privacy.personal_data` never touches it.
"""

import hmac
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from sqlalchemy import ColumnElement, and_, delete, func, insert, literal, or_, select, update

from data.repositories.key_values import KeyValueQueries
from data.schema.core import game_table, person, person_limit
from data.schema.leagues import season
from league.ids import PersonId
from league.times import DAY, HOUR


@dataclass(frozen=True, slots=True)
class LimitRow:
    """A limit of a person, without their identity."""

    about: int
    """The table, the set of boards or the season that the limit is about."""
    until: int | None
    """When it ends; None while the table is open, or until the league has a next season."""


Limit = Literal[
    "table",
    "challenge",
    "daily",
    "puzzle",
    "block",
    "invite",
    "season",
    "ban",
    "erasure",
    "entry",
    "proposal",
    "home_game",
]
"""The kind of limit.

`about` is the opened table or home game, the set of boards, the puzzle, the table of the block or of the invitation, or the season; 0
for erasures.
"""

_LASTING: Final[Mapping[int, tuple[Limit, ...]]] = {
    HOUR: ("table", "challenge"),
    DAY: ("erasure", "entry", "proposal", "home_game"),
}
"""The limits that count acts of the last hour or day, by how long they last, in milliseconds."""
KEY_NOTE = "limit_key"
"""The key-value entry with the secret key in hexadecimal, created once by a migration."""


def digest(key: str, person_id: PersonId) -> str:
    """Return the HMAC-SHA-256 of a person's id under a key, both in hexadecimal."""
    return hmac.digest(bytes.fromhex(key), str(person_id).encode(), "sha256").hex()


class LimitQueries(KeyValueQueries):
    """Reads the limits of a person."""

    async def limits(self, person_id: PersonId, kind: Limit, now: int) -> list[LimitRow]:
        """Return the person's limits of that kind that still last, oldest first."""
        lasts = or_(person_limit.c.until.is_(None), person_limit.c.until > now)
        return await self._all(
            LimitRow,
            select(person_limit.c.about, person_limit.c.until)
            .where(await self._of_person(person_id, kind), lasts)
            .order_by(person_limit.c.id),
        )

    async def all_limits(self, person_id: PersonId) -> list[dict[str, Any]]:
        """Return everything that is stored as a limit of the person, as JSON values."""
        rows = await self._execute(
            select(person_limit.c.kind, person_limit.c.about, person_limit.c.until)
            .where(person_limit.c.digest == await self.digest_of(person_id))
            .order_by(person_limit.c.id)
        )
        return [dict(row) for row in rows.mappings()]

    async def is_limited(self, person_id: PersonId, kind: Limit, about: int) -> bool:
        """Return whether this table, set or season is limited for the person."""
        theirs = await self._of_person(person_id, kind)
        found = select(person_limit.c.id).where(theirs, person_limit.c.about == about)
        return await self._scalar(found.limit(1)) is not None

    async def count(self, kind: Limit, about: int) -> int:
        """Return how many limits of that kind this table, set or season has."""
        about_it = and_(person_limit.c.about == about, person_limit.c.kind == kind)
        return await self._scalar(select(func.count()).select_from(person_limit).where(about_it))

    async def _of_person(self, person_id: PersonId, kind: Limit) -> ColumnElement[bool]:
        theirs = person_limit.c.digest == await self.digest_of(person_id)
        return and_(theirs, person_limit.c.kind == kind)

    async def digest_of(self, person_id: PersonId) -> str:
        """Return the digest that stands for a person where their id must not appear."""
        return digest(await self._key(), person_id)

    async def people_of(self, digests: Collection[str]) -> dict[PersonId, str]:
        """Return the known people who have one of these digests, each with theirs."""
        key = await self._key()
        ids = (await self._execute(select(person.c.id).where(person.c.id > 0))).scalars()
        of_people = {found: digest(key, found) for found in map(PersonId, ids)}
        return {found: own for found, own in of_people.items() if own in digests}

    async def _key(self) -> str:
        key = await self.get(KEY_NOTE)
        if key is None:
            raise ValueError("the store has no key for digests")
        return key


class LimitRepository(LimitQueries):
    """Sets and lifts limits."""

    async def add_limit(self, person_id: PersonId, kind: Limit, about: int, until: int | None = None) -> None:
        """Limit a person; without `until`, for as long as the table or season is open."""
        await self._execute(
            insert(person_limit).values(
                digest=await self.digest_of(person_id), kind=kind, about=about, until=until
            )
        )

    async def lift_limit(self, person_id: PersonId, kind: Limit, about: int) -> None:
        """Lift the limit of the person for this table, set or season."""
        theirs = await self._of_person(person_id, kind)
        await self._execute(delete(person_limit).where(theirs, person_limit.c.about == about))

    async def carry_on(self, kind: Limit, former: int, about: int) -> None:
        """Apply all limits of that kind that are about `former` to `about`, too."""
        theirs = select(person_limit.c.digest, person_limit.c.kind, literal(about), person_limit.c.until)
        theirs = theirs.where(person_limit.c.kind == kind, person_limit.c.about == former)
        await self._execute(insert(person_limit).from_select(["digest", "kind", "about", "until"], theirs))

    async def shorten(self, now: int) -> None:
        """Let no limit last longer from now on than one that is set now: the clock was ahead when it was set."""
        for lasts, kinds in _LASTING.items():
            too_long = person_limit.c.kind.in_(kinds), person_limit.c.until > now + lasts
            await self._execute(update(person_limit).where(*too_long).values(until=now + lasts))

    async def forget_old(self, now: int) -> None:
        """Remove expired limits."""
        closed_tables = select(game_table.c.id).where(game_table.c.closed_at.is_not(None))
        former_seasons = select(season.c.former).where(season.c.former.is_not(None))
        is_over = or_(
            person_limit.c.until <= now,
            and_(person_limit.c.kind.in_(("block", "invite")), person_limit.c.about.in_(closed_tables)),
            # Until the league has a next season, the staff can reopen the last one.
            and_(person_limit.c.kind.in_(("season", "ban")), person_limit.c.about.in_(former_seasons)),
        )
        await self._execute(delete(person_limit).where(is_over))
