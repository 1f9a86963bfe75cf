"""Opening the database at a place, of whichever kind it is."""

from pathlib import Path

from data.database import Database, Place
from data.sqlite.database import SQLiteDatabase


async def opened(place: Place, *, accept_loss: bool = False, is_shared: bool = False) -> Database:
    """Open the database at this place, checked and of the newest schema; a new one is made where there is none.

    A server's may be shared with other processes, which must all open it so.

    Raises StoreLockedError, StoreDamagedError, StoreTooNewError, StoreUnsuitable or StoreLost, and has then changed nothing;
    StoreUnavailableError if the place can't be reached or written. With `accept_loss` a file is opened without what is missing.
    """
    if isinstance(place, Path):
        if is_shared:
            raise ValueError("a file is served by one process alone")
        return await SQLiteDatabase.open(place, accept_loss=accept_loss)
    from data.postgres.database import PostgresDatabase  # what it needs is imported where it is used only

    return await PostgresDatabase.open(place, is_shared=is_shared)
