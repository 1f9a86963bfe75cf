"""Discord's error answers: a status, a code, and the path of each invalid field."""

from collections.abc import Sequence
from typing import Any, NoReturn

Path = tuple[str | int, ...]

# The error codes of Discord's documentation that this server uses, each with its status and text.
KNOWN: dict[int, tuple[int, str]] = {
    0: (401, "401: Unauthorized"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10011: (404, "Unknown Role"),
    10013: (404, "Unknown User"),
    10014: (404, "Unknown Emoji"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    10063: (404, "Unknown application command"),
    10070: (404, "Unknown Guild Scheduled Event"),
    30008: (400, "Maximum number of emojis reached (2000)"),
    30032: (400, "Maximum number of application commands reached (100)"),
    40005: (413, "Request entity too large"),
    40067: (400, "A tag is required to create a forum post in this channel"),
    40060: (400, "Interaction has already been acknowledged."),
    50001: (403, "Missing Access"),
    50003: (403, "Cannot execute action on a DM channel"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50008: (400, "Cannot send messages in a non-text channel"),
    50013: (403, "Missing Permissions"),
    50021: (403, "Cannot execute action on a system message"),
    50024: (400, "Cannot execute action on this channel type"),
    50027: (401, "Invalid Webhook Token"),
    50033: (400, "Invalid Recipient(s)"),
    50034: (400, "You can only bulk delete messages that are under 14 days old."),
    50035: (400, "Invalid Form Body"),
    50045: (400, "File uploaded exceeds the maximum size"),
    50083: (400, "Thread is archived"),
    50278: (403, "Cannot send messages to this user due to having no mutual guilds"),
    160004: (400, "A thread has already been created for this message"),
}


class RefusalError(Exception):
    """Discord would refuse this request."""

    def __init__(self, code: int, *, status: int | None = None, errors: dict[str, Any] | None = None) -> None:
        known_status, text = KNOWN[code]
        super().__init__(f"{code}: {text}")
        self.status = status or known_status
        self.code = code
        self.errors = errors
        self.body: dict[str, Any] = {"message": text, "code": code}
        if errors:
            self.body["errors"] = errors


class Errors:
    """The invalid fields of one payload, by path."""

    def __init__(self) -> None:
        self.tree: dict[str, Any] = {}

    def add(self, path: Sequence[str | int], message: str, code: str = "INVALID") -> None:
        """Record an invalid field."""
        node = self.tree
        for step in path:
            node = node.setdefault(str(step), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def done(self) -> None:
        """Refuse the payload if any field is invalid."""
        if self.tree:
            raise RefusalError(50035, errors=self.tree)


def refuse_field(path: str, message: str) -> NoReturn:
    """Refuse a payload because of one field, whose path is written with dots."""
    errors = Errors()
    errors.add(path.split("."), message)
    raise RefusalError(50035, errors=errors.tree)
