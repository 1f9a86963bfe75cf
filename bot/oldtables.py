"""Messages where a table stood before: each is closed, with the way to where the table stands now."""

from bot.links import table_address
from bot.panels.notice import notice_panel
from bot.panels.panel import Panel
from bot.texts import Texts
from data.store import Writer
from data.values import TableRow

CLOSE = "close"


async def leave_message(writer: Writer, table: TableRow, now: int) -> None:
    """The table is to be posted anew: its message is forgotten, and closed as soon as there is another.

    Both in one transaction: whatever is cut off afterwards, one message is the table's and the others get closed.
    """
    if table.message_id is None:
        return
    await close_message(writer, table, table.message_id, now)
    await writer.set_message(table.id, table.channel_id, None)


async def close_message(writer: Writer, table: TableRow, message_id: int, now: int) -> None:
    """Ask for a message of this table to be closed."""
    key = f"{CLOSE}:{table.place_id}:{message_id}"
    await writer.put_outbox(table.id, CLOSE, key, table.revision, now)


def old_panel(table: TableRow, message_id: int, texts: Texts) -> Panel:
    """What is left of a message that is not the table's any more; one of them leads to the table's thread."""
    key = "thread.sign" if message_id == table.sign_id else "table.moved"
    return notice_panel(texts(key, table=table.id, link=table_address(table), thread=table.place_id))
