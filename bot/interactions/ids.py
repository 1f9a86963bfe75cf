"""Custom ids of buttons, selects and forms: `mr1:<verb>:<table>:<revision>[:<argument>]`.

They are untrusted input: a verb and numbers, never a person and never a card.
"""

import re
from dataclasses import dataclass

_NUMBER = "[0-9]{1,18}"
_BODY = rf"(?P<table>{_NUMBER}):(?P<revision>{_NUMBER})(?::(?P<argument>[0-9A-Za-z_-]{{1,40}}))?\Z"
BUTTON_TEMPLATE = rf"mr1:(?!pick-|form-)(?P<verb>[a-z-]{{1,20}}):{_BODY}"
SELECT_TEMPLATE = rf"mr1:(?P<verb>pick-[a-z-]{{1,15}}):{_BODY}"
FORM_TEMPLATE = rf"mr1:(?P<verb>form-[a-z-]{{1,15}}):{_BODY}"


@dataclass(frozen=True, slots=True)
class Press:
    """What a custom id says: the verb pressed, at which table, and at which revision it was shown."""

    verb: str
    table: int
    revision: int
    argument: str = ""

    def __str__(self) -> str:
        tail = f":{self.argument}" if self.argument else ""
        return f"mr1:{self.verb}:{self.table}:{self.revision}{tail}"

    @classmethod
    def from_match(cls, match: re.Match[str]) -> "Press":
        """Read what one of the templates has matched."""
        return cls(
            verb=match["verb"],
            table=int(match["table"]),
            revision=int(match["revision"]),
            argument=match["argument"] or "",
        )
