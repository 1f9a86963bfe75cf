"""Links to things in Discord."""

from data.values import TableRow


def table_address(table: TableRow) -> str:
    """The link to a table's message; before there is one, to its channel or thread."""
    address = f"https://discord.com/channels/{table.guild_id}/{table.place_id}"
    return f"{address}/{table.message_id}" if table.message_id else address
