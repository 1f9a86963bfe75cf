"""What the bot has sent to Discord, read from the bytes: all that it reports must be on the disk by then."""

import re
from collections import Counter

from tests.crash.files import OF_A_TABLE
from tests.powercut.record import Kind, Note

_OF_A_TABLE = re.compile(OF_A_TABLE.pattern.encode() + rb"(?=\D)")
_ANSWER = re.compile(rb'/interactions/(\d+)/[^/]+/callback[ ?].{,4000}?"type": ?(\d+)', re.DOTALL)
_COPY = re.compile(rb'(tiplu-\d{8}T\d{6}Z\.sqlite3)"[^\n]*"backup\.made"')
_AT_ONCE = (4, 7)
"""The kinds of answers that show a press's result; the others only acknowledge it."""
_LONGEST = 8192
"""How many earlier bytes of a connection are searched again, since a match may span two parts."""


class Told:
    """What was reported so far."""

    def __init__(self) -> None:
        self.revisions: Counter[int] = Counter()
        """The latest revision shown to anyone, by table."""
        self.answered: set[int] = set()
        """The interactions whose outcome was shown."""
        self.copies: set[str] = set()
        """The names of file copies that were made, according to the log."""
        self.moments = 0
        """How often something new was reported."""
        self._sending: dict[int, tuple[bytes, bytes]] = {}
        """By socket: the end of what was sent before, and what was sent last."""

    def after(self) -> "Told":
        """Return a copy for the next process, whose sockets are others."""
        other = Told()
        other.revisions, other.answered = Counter(self.revisions), {*self.answered}
        other.copies = {*self.copies}
        return other

    def take(self, note: Note) -> bool:
        """Take a note, and return whether it reports something new."""
        if note.kind is Kind.SENT:
            before = b"".join(self._sending.get(note.file, ()))[-_LONGEST:]
            self._sending[note.file] = (before, note.data)
            return self._read(before + note.data)
        if note.kind is Kind.NOT_SENT:
            before, data = self._sending[note.file]
            self._sending[note.file] = (before, data[: note.at])
        return False

    def _read(self, sent: bytes) -> bool:
        known = self.moments
        for table, revision in _OF_A_TABLE.findall(sent):
            if int(revision) > self.revisions[int(table)]:
                self.revisions[int(table)] = int(revision)
                self.moments += 1
        for interaction, kind in _ANSWER.findall(sent):
            if int(kind) in _AT_ONCE and int(interaction) not in self.answered:
                self.answered.add(int(interaction))
                self.moments += 1
        for copy in _COPY.findall(sent):
            if copy.decode() not in self.copies:
                self.copies.add(copy.decode())
                self.moments += 1
        return self.moments > known
