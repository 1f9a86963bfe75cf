"""Which files each message has attached: known at once, and written down now and then."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from data.ids import MessageId
from data.repositories.attached_files import AttachedFile
from data.store import Store

REMEMBERED: Final = 10_000


class AttachedFiles:
    """Knows what the messages that are edited again have attached, across restarts.

    What it knows may be out of date, after a crash for example. Then Discord refuses to keep a file that is not there,
    and it is sent.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: OrderedDict[MessageId, tuple[AttachedFile, ...]] = OrderedDict()
        self._unsaved: set[MessageId] = set()

    async def of_message(self, message_id: MessageId) -> tuple[AttachedFile, ...]:
        """What is attached to a message, as far as it is known."""
        if message_id not in self._known:
            async with self._store.read() as db:
                found = await db.attached_files.of_message(message_id)
            self._known.setdefault(message_id, found)
        self._known.move_to_end(message_id)
        return self._known[message_id]

    def note(self, message_id: MessageId, files: Sequence[AttachedFile]) -> None:
        """A message has these files now."""
        if self._known.get(message_id) != tuple(files):
            self._known[message_id] = tuple(files)
            self._unsaved.add(message_id)
        self._known.move_to_end(message_id)
        while len(self._known) > REMEMBERED:
            dropped, _ = self._known.popitem(last=False)
            self._unsaved.discard(dropped)

    def forget_known(self) -> None:
        """Other processes may have edited any message meanwhile: what is not written down yet is this process's own."""
        for message_id in self._known.keys() - self._unsaved:
            del self._known[message_id]

    async def save(self) -> None:
        """Write down what has changed, if anything has."""
        if not self._unsaved:
            return
        changed = {message_id: self._known[message_id] for message_id in self._unsaved}
        self._unsaved.clear()
        async with self._store.write() as db:
            await db.attached_files.set(changed)
