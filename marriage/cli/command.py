"""What a command is: a request that pydantic checks, its answer, and two ways to read the answer."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict


class Request(BaseModel):
    """What a command is asked; unknown keys are refused, so that no misspelt one is ever passed over."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid")


Asked = TypeVar("Asked", bound=Request)
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Command(Generic[Asked, Found]):
    """One command: from its arguments, or a line of JSON, to its answer."""

    name: str
    help: str
    description: str
    request: type[Asked]
    add_arguments: Callable[[ArgumentParser], None]
    """Adds what the command takes beside `--json` and `--jsonl`."""
    read: Callable[[Namespace], dict[str, Any]]
    """The arguments as the keys of a request; raises ValueError with a sentence."""
    run: Callable[[Asked], Found]
    """Raises ValueError with a sentence for a request that contradicts itself."""
    to_json: Callable[[Found], dict[str, Any]]
    to_text: Callable[[Found], str]
    failed: Callable[[Found], str | None] = lambda _: None
    """Why the answer is a bad one, for the exit status 1; None for every other answer."""

    def answer(self, raw: dict[str, Any]) -> Found:
        """Answer a request as read from JSON; raises ValueError (pydantic's is one)."""
        return self.run(self.request.model_validate(raw))
