"""A PostgreSQL server, as the database of more than one process."""

from importlib.util import find_spec

from data.errors import StoreUnsuitable

for _name in ("asyncpg", "greenlet"):
    if find_spec(_name) is None:  # a file needs neither, so they need not be installed
        raise StoreUnsuitable(
            f"DATABASE_URL names a PostgreSQL server, for which Python lacks the module {_name}. Install what is missing: "
            "pip install asyncpg 'sqlalchemy[asyncio]'; docs/hosting.md has the command for checked versions"
        )
