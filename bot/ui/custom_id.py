"""Custom ids of buttons, selects and forms: `mr1:<verb>:<subject>:<revision>[:<argument>]`.

They are untrusted input, and never identify who presses. Only buttons of a hand name a card, in messages that
only its holder sees.
"""

import re
from dataclasses import dataclass

from bot.errors import UnexpectedInputError
from bot.words.numbers import read_id

_NUMBER = "[0-9]{1,18}"
_BODY = rf"(?P<subject>{_NUMBER}):(?P<revision>{_NUMBER})(?::(?P<argument>[0-9A-Za-z_-]{{1,40}}))?\Z"
BUTTON_TEMPLATE = rf"mr1:(?!pick-|form-)(?P<verb>[a-z-]{{1,20}}):{_BODY}"
SELECT_TEMPLATE = rf"mr1:(?P<verb>pick-[a-z-]{{1,15}}):{_BODY}"
FORM_TEMPLATE = rf"mr1:(?P<verb>form-[a-z-]{{1,15}}):{_BODY}"


@dataclass(frozen=True, slots=True)
class Press:
    """A parsed custom id: the verb, its subject, and the revision at which it was shown."""

    verb: str
    subject: int
    """The number of what it is about: a table, a season, a score session."""
    revision: int
    argument: str = ""

    def __str__(self) -> str:
        tail = f":{self.argument}" if self.argument else ""
        return f"mr1:{self.verb}:{self.subject}:{self.revision}{tail}"

    @property
    def id_argument(self) -> int:
        """The argument of a press that is an id; raises UnexpectedInputError."""
        if (number := read_id(self.argument)) is None:
            raise UnexpectedInputError("an argument that is no id")
        return number

    @classmethod
    def parse(cls, custom_id: str, template: str) -> "Press | None":
        """Parse an id by one of the templates; None if it does not fit."""
        match = re.fullmatch(template, custom_id)
        if match is None:
            return None
        return cls(
            verb=match["verb"],
            subject=int(match["subject"]),
            revision=int(match["revision"]),
            argument=match["argument"] or "",
        )
