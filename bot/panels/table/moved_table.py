"""The replacement of a table's old message: a link to the table's present place."""

from bot.ui.notice import notice_panel
from bot.ui.panel import Panel
from bot.words.names import table_address
from bot.words.texts import Texts
from data.ids import MessageId
from data.values import TableRow


def old_panel(table: TableRow, message_id: MessageId, texts: Texts) -> Panel:
    """The panel of an old table message; one of them links to the table's thread."""
    if message_id != table.sign_id:
        key = "table.moved"
    else:
        key = "thread.sign_private" if table.kind.by_invitation else "thread.sign"
    return notice_panel(texts(key, table=table.id, link=table_address(table), thread=table.place_id))
