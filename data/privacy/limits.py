"""What outlives a person who is forgotten: their limits, and a file that says who was forgotten, both under a keyed digest of the id.

Limits are tables opened within the hour, today's attempt, a host's block, a season that was left. They are stored without anything
else about the person, and looked up only by that digest. So a limit keeps its full length when the person is forgotten:
`data.privacy.personal_data` never touches it.

The file is kept outside the database: a copy that is put back must not bring anybody back. It has one line for each person: when it
was, in milliseconds since 1970, and the digest, from which nobody without the database can tell who it is.
"""

import hmac
import os
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from sqlalchemy import ColumnElement, and_, delete, insert, or_, select

from data.files import sync_contents, sync_directory
from data.repositories.key_values import KeyValueQueries
from data.schema.core import game_table, person, person_limit
from data.schema.leagues import season
from league.ids import PersonId


@dataclass(frozen=True, slots=True)
class LimitRow:
    """A limit of a person, without their identity."""

    about: int
    """The table, the set of boards or the season that the limit is about."""
    until: int | None
    """When it ends; None while the table or the season is open."""


Limit = Literal["table", "challenge", "daily", "block", "season"]
"""The kind of limit. `about` is the opened table, the set of boards, the table of the block, or the season.
"""

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

    async def is_limited(self, person_id: PersonId, kind: Limit, about: int) -> bool:
        """Return whether this table, set or season is limited for the person."""
        theirs = await self._of_person(person_id, kind)
        found = select(person_limit.c.id).where(theirs, person_limit.c.about == about)
        return await self._scalar(found.limit(1)) is not None

    async def _of_person(self, person_id: PersonId, kind: Limit) -> ColumnElement[bool]:
        theirs = person_limit.c.digest == await self.digest_of(person_id)
        return and_(theirs, person_limit.c.kind == kind)

    async def digest_of(self, person_id: PersonId) -> str:
        """Return the digest that stands for a person where their id must not appear."""
        return digest(await self._key(), person_id)

    async def people_of(self, digests: Collection[str]) -> list[PersonId]:
        """Return the known people who have one of these digests."""
        key = await self._key()
        ids = (await self._execute(select(person.c.id).where(person.c.id > 0))).scalars()
        return [found for found in map(PersonId, ids) if digest(key, found) in digests]

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

    async def forget_old(self, now: int) -> None:
        """Remove expired limits."""
        closed_tables = select(game_table.c.id).where(game_table.c.closed_at.is_not(None))
        closed_seasons = select(season.c.id).where(season.c.closed_at.is_not(None))
        is_over = or_(
            person_limit.c.until <= now,
            and_(person_limit.c.kind == "block", person_limit.c.about.in_(closed_tables)),
            and_(person_limit.c.kind == "season", person_limit.c.about.in_(closed_seasons)),
        )
        await self._execute(delete(person_limit).where(is_over))


_MOMENT: Final = re.compile("[0-9]{1,15}")
NAME = "forgotten"
"""The file's name, next to the copies of the database."""


class ForgottenLedger:
    """The append-only file with these lines."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, digest: str, now: int) -> None:
        """Record a person durably; raises OSError."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            # An incomplete line after a power failure must not swallow this one.
            file.write(f"\n{now} {digest}\n")
            file.flush()
            sync_contents(file.fileno())
        sync_directory(self._path.parent)

    def since(self, moment: int) -> frozenset[str]:
        """Return the digests of those who were forgotten at this moment or later; raises OSError."""
        if not self._path.exists():
            return frozenset()
        lines = (
            line.split() for line in self._path.read_text(encoding="ascii", errors="replace").splitlines()
        )
        whole = (parts for parts in lines if len(parts) == 2 and _MOMENT.fullmatch(parts[0]))
        return frozenset(digest for at, digest in whole if int(at) >= moment)
