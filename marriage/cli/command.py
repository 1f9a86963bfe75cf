"""The parts of a command: a request validated by pydantic, its answer, and the answer's two output formats."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict


class Request(BaseModel):
    """The request of a command. Unknown keys are refused, so that a misspelt one is noticed."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid")


Asked = TypeVar("Asked", bound=Request)
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class CliCommand(Generic[Asked, Found]):
    """One command: from its arguments, or a line of JSON, to its answer."""

    name: str
    help: str
    description: str
    request: type[Asked]
    add_arguments: Callable[[ArgumentParser], None]
    """Adds the command's own arguments, in addition to `--json` and `--jsonl`."""
    read: Callable[[Namespace], dict[str, Any]]
    """Converts the arguments to the keys of a request; raises ValueError with a sentence."""
    run: Callable[[Asked], Found]
    """Answers a request; raises ValueError with a sentence for a contradictory one."""
    to_json: Callable[[Found], dict[str, Any]]
    to_text: Callable[[Found], str]
    failed: Callable[[Found], str | None] = lambda _: None
    """Why the answer is negative, for the exit status 1; None for every other answer."""

    def answer(self, raw: dict[str, Any]) -> Found:
        """Answer a request as read from JSON; raises ValueError (pydantic's is one)."""
        return self.run(self.request.model_validate(raw))
