"""Messages where a table stood before: each is closed, with the way to where the table stands now."""

from dataclasses import replace

from bot.panels.notice import notice_panel
from bot.panels.panel import Panel
from bot.words.links import table_address
from bot.words.texts import Texts
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


async def leave_thread(writer: Writer, table: TableRow, now: int, lack: str | None = None) -> None:
    """The table has no thread any more, or never had one, for that reason; the sign that led there leads on."""
    if table.sign_id is not None:
        await close_sign(writer, table, table.sign_id, now)
    await writer.set_thread(table.id, None, lack=lack)


async def close_sign(writer: Writer, table: TableRow, sign_id: int, now: int) -> None:
    """Ask for the message in the channel that leads to the table's thread to be brought up to date."""
    await close_message(writer, replace(table, thread_id=None), sign_id, now)


async def close_message(writer: Writer, table: TableRow, message_id: int, now: int) -> None:
    """Ask for a message of this table to be closed."""
    key = f"{CLOSE}:{table.place_id}:{message_id}"
    await writer.put_outbox(table.id, CLOSE, key, table.revision, now)


def old_panel(table: TableRow, message_id: int, texts: Texts) -> Panel:
    """What is left of a message that is not the table's any more; one of them leads to the table's thread."""
    if message_id != table.sign_id:
        key = "table.moved"
    else:
        key = "thread.sign_private" if table.options.private else "thread.sign"
    return notice_panel(texts(key, table=table.id, link=table_address(table), thread=table.place_id))
