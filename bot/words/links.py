"""Links to things in Discord, and to public pages."""

from data.ids import SeasonId
from data.values import TableRow


def table_address(table: TableRow) -> str:
    """The link to a table's message; before there is one, to its channel or thread."""
    address = f"https://discord.com/channels/{table.guild_id}/{table.place_id}"
    return f"{address}/{table.message_id}" if table.message_id else address


def season_address(pages_url: str, season_id: SeasonId) -> str:
    """The address of a season's public page, below that of the folder of all pages."""
    return f"{pages_url}/{season_id}/index.html"
