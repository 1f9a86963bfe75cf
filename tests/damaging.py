"""Changes of stored events, as by a disk: their checksums do not fit any more."""

from sqlalchemy import update

from data.schema.core import event
from data.schema.leagues import season_event
from data.season_rows import SeasonCache
from data.store import Store
from league.ids import TableId


async def damage_deals(store: Store, table: TableId) -> None:
    """Change every event of a table's deals."""
    change = update(event).where(event.c.table_id == table).values(at=77)
    await store.write(lambda db: db.tables._execute(change))


async def damage_season(store: Store, season: int) -> None:
    """Change every event of a season, which is read again as after a restart."""
    change = update(season_event).where(season_event.c.season == season).values(at=7)
    await store.write(lambda db: db.tables._execute(change))
    store._season_cache = SeasonCache()
