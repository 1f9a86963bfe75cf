"""Addresses of things in Discord, for people to press."""

from data.values import TableRow


def table_address(table: TableRow) -> str:
    """Where the table is shown: its message, or its channel or thread before there is one."""
    address = f"https://discord.com/channels/{table.guild_id}/{table.place_id}"
    return f"{address}/{table.message_id}" if table.message_id else address
