"""What belongs to others, row by row and message by message, so that it can be compared.

A forger may change what is their own: their preferences, practice, tables, seats, and the people they invite
there. Every table of the store is listed here, either as compared or as not compared with the reason.
"""

import re
import sqlite3
from collections.abc import Callable, Collection, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from data.schema.core import metadata
from playground.person import Person
from tests.fuzz.stage import Stage

Row = dict[str, Any]
Keep = Callable[[Row], bool]

NOT_COMPARED = {
    "outbox": "asks for messages; the messages themselves are compared",
    "interaction_seen": "which interactions were seen, forged ones too",
    "meta": "the bot's own notes, such as when it was last alive",
    "estimated": "follows from all deals of the server, the forger's too",
    "estimate": "as above",
    "public_message": "where a score is shown, for the person who asked for it; the messages themselves are compared",
    "week_post": "where the board of a week is shown; the messages themselves are compared",
    "direct_channel": "where direct messages go; the messages themselves are compared",
    "attached_file": "which picture a message bears; the messages themselves are compared",
    "played_block": "how many deals a server has, by channel and preset: the deals themselves are compared",
    "puzzle": "the stock, of which a forger may answer what they are asked; the answers of others are compared",
    "person_limit": "what still limits somebody who was forgotten, and only forgers are",
    "erasure": "random marks of those who were forgotten",
}
INVITATION = re.compile("challenges you|you are invited to")
"""The messages that a forger may let the bot send to others."""
OF_A_TABLE = [
    "seat",
    "bench",
    "guest",
    "pinned",
    "game_match",
    "deal",
    "event",
    "result",
    "deadline",
    "pod_table",
    "board_table",
    "daily_try",
    "played",
]
OF_A_PERSON = [
    "analysis",
    "nickname",
    "practice",
    "puzzle_answer",
    "puzzle_player",
    "rating",
    "rating_met",
    "tally",
    "computer_tally",
    "career",
    "achieved",
    "league_player",
    "attendance",
    "meeting",
]
OF_A_SEASON = ["season_event", "pod_time", "season_draft", "season_post"]
OF_A_SCORE = ["score_keeper", "score_entry"]
WHOLE = ["season", "board_set", "board"]
NOT_LOOKED_AT = {"updated_at", "not_before", "attempts", "set_at", "shared_at", "version"}
"""The columns that say when or how often something was tried or noted.

`shared_at` says that a replay was posted, which everyone who may see the deal may do once. `version` counts
that a forger who is a guest of a table is forgotten there too.
"""


class Others:
    """What they have at one moment."""

    def __init__(self, rows: dict[str, list[str]], messages: dict[str, str]) -> None:
        self.rows = rows
        self.messages = messages

    def differences(self, later: "Others") -> list[str]:
        """Return what was changed, lost or added since."""
        found = [
            f"{name}: {'lost' if row in lost else 'new'} {row}"
            for name, before in self.rows.items()
            for lost, new in [_without(before, later.rows[name])]
            for row in (*lost, *new)
        ]
        for what, before in self.messages.items():
            if (after := later.messages.get(what)) != before:
                found.append(f"{what}: {before!r} became {after!r}")
        new = (what for what in later.messages if what not in self.messages)
        return found + [f"{what}: new {later.messages[what]!r}" for what in new]


def _without(before: list[str], after: list[str]) -> tuple[list[str], list[str]]:
    return [row for row in before if row not in after], [row for row in after if row not in before]


class Watch:
    """Knows what belongs to whom: everything that exists when it begins belongs to the others."""

    def __init__(self, stage: Stage, path: Path) -> None:
        self._stage = stage
        self._path = path
        self._ids: dict[str, set[int]] = {}
        self._seen: dict[str, set[int]] = {}

    def begin(self) -> Others:
        """Note what the others have."""
        for name in ("game_table", "score_session", "season"):
            self._ids[name] = {row["id"] for row in self._all(name)}
        self._ids["number"] = {row["number"] for row in self._all("played")}
        for person in self._stage.others:
            self._seen[person.user.name] = {message.id for message in self._readable(person)}
        return self.look()

    def look(self) -> Others:
        """Return what the others have now."""
        rows: dict[str, list[str]] = {}
        for name, keep in self._kept().items():
            rows[name] = sorted(_looked_at(row) for row in self._all(name) if keep(row))
        messages = dict(line for person in self._stage.others for line in self._messages(person))
        return Others(rows, messages)

    def _kept(self) -> dict[str, Keep]:
        people = {person.id for person in self._stage.others}
        server = {self._stage.discord.world.guild.id}
        kept: dict[str, Keep] = {
            "guild": _among("id", server),
            "staff_act": _among("guild_id", server),
            "person": _among("id", people),
            "played_seat": _among("number", self._ids["number"]),
            "game_table": _among("id", self._ids["game_table"]),
            "score_session": _among("id", self._ids["score_session"]),
        }
        kept |= dict.fromkeys(OF_A_TABLE, _among("table_id", self._ids["game_table"]))
        kept |= dict.fromkeys(OF_A_PERSON, _among("person_id", people))
        kept |= dict.fromkeys(OF_A_SEASON, _among("season", self._ids["season"]))
        kept |= dict.fromkeys(OF_A_SCORE, _among("session_id", self._ids["score_session"]))
        kept |= dict.fromkeys(WHOLE, lambda _row: True)
        undecided = set(metadata.tables) ^ (set(kept) | set(NOT_COMPARED))
        if undecided:
            raise LookupError(f"whose are the rows of {sorted(undecided)}? Say so in {__name__}")
        return kept

    def _all(self, name: str) -> list[Row]:
        with closing(sqlite3.connect(f"file:{self._path}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(f"SELECT * FROM {name}")]

    def _readable(self, person: Person) -> list[Any]:
        actions = self._stage.discord.actions
        return [message for channel in actions.channels(person.user) for message in person.messages(channel)]

    def _messages(self, person: Person) -> Iterable[tuple[str, str]]:
        """Yield what the person reads: the messages that existed at the start, and all later ones meant for them.

        These are direct messages and those that mention them, except invitations.
        """
        name = person.user.name
        for message in self._readable(person):
            meant = message.message.channel.is_dm or person.user in message.message.mentions
            if message.id in self._seen[name] or (meant and not INVITATION.search(message.text)):
                yield (
                    f"message {message.id} to {name}",
                    f"{message.text} {message.message.components} {message.files}",
                )


def _among(key: str, ids: Collection[int]) -> Keep:
    return lambda row: row[key] in ids


def _looked_at(row: Row) -> str:
    return str({key: value for key, value in row.items() if key not in NOT_LOOKED_AT})
