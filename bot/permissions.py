"""What the bot needs in a channel to host a table there."""

import discord

from bot.errors import Sorry

NEEDED = ("view_channel", "send_messages", "embed_links", "attach_files", "read_message_history")


def require_permissions(granted: discord.Permissions) -> None:
    """Refuse to open a table where it could not be shown later; raises Sorry that names what is missing."""
    missing = [name.replace("_", " ").title() for name in NEEDED if not getattr(granted, name)]
    if missing:
        raise Sorry("sorry.permissions", missing=", ".join(missing))
