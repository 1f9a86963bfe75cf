"""What every part of the reader and the writer stands on: one connection in one transaction."""

from sqlalchemy.ext.asyncio import AsyncConnection


class Session:
    """Holds the connection; lives as long as the transaction that `Store` opened."""

    __slots__ = ("_connection",)

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection
