"""The requests and bytes that the bot sends to Discord, by purpose."""

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from playground.model import Interaction
from playground.recorder import RecordedRequest
from playground.services import PlaygroundServices

ANSWERS, BY_TOKEN, CHANNELS = "/interactions/", "/webhooks/", "/channels/"
PICTURE = "+"
"""The mark of kinds whose requests carry a file."""
KB = 1000


@dataclass
class Traffic:
    """The number of requests and the bytes of their bodies, by kind."""

    requests: Counter[str] = field(default_factory=Counter[str])
    sizes: Counter[str] = field(default_factory=Counter[str])

    @property
    def kb(self) -> float:
        """The total of what was sent, in thousands of bytes."""
        return self.sizes.total() / KB

    def table(self, presses: int) -> str:
        """Return one line for each kind: requests and KB per press."""
        rows = [(kind, count, self.sizes[kind] / KB) for kind, count in self.requests.most_common()]
        rows.append(("all", self.requests.total(), self.kb))
        lines = [f"{count / presses:8.3f} {kb / presses:8.2f}  {kind}" for kind, count, kb in rows]
        return "\n".join(["requests KB a press", *lines])


@contextmanager
def counting(services: PlaygroundServices) -> Generator[Traffic, None, None]:
    """Count what the bot sends within the block."""
    traffic = Traffic()

    def count(entry: RecordedRequest) -> None:
        kind = _kind(services, entry) + (PICTURE if entry.files else "")
        traffic.requests[kind] += 1
        traffic.sizes[kind] += entry.size

    services.recorder.listeners.append(count)
    try:
        yield traffic
    finally:
        services.recorder.listeners.remove(count)


def _kind(services: PlaygroundServices, entry: RecordedRequest) -> str:
    """Return what a request does, and to which kind of message."""
    if ANSWERS in entry.path:
        return "answer"
    _, is_by_token, rest = entry.path.partition(BY_TOKEN)
    if is_by_token:
        _, token, *which = rest.split("/")
        made = services.interactions._by_token.get(token)
        return f"{entry.method} {_answered(made, which[-1] if which else '')} by token"
    _, is_in_channel, rest = entry.path.partition(CHANNELS)
    if is_in_channel:
        channel = services.world.channels.get(int(rest.partition("/")[0]))
        return f"{entry.method} {'direct' if channel and channel.is_dm else 'table'} message"
    return f"{entry.method} {entry.path.rpartition('/')[2]}"


def _answered(made: Interaction | None, which: str) -> str:
    """Return which kind of message is changed by an edit with an interaction's token."""
    if made is None:
        return "unknown message"
    named = [one for one in made.followups if str(one.id) == which]
    message = named[0] if named else made.response or made.message
    if message is None or message.only_for is not None:
        return "private panel"
    return "direct message" if message.channel.is_dm else "table message"
