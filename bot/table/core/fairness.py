"""What the seats contribute to the shuffle, after the commitment to the seed and before the deal.

An item is `<seat>:<interaction id>:<w>`: `w` is the hash of a word that the player typed, or `-`; a seat that said
nothing is `<seat>:auto:-`. Joining a table or asking for the next deal is a contribution too. Only seat numbers,
ids of interactions and hashes are kept, so nothing here tells who played.
"""

import unicodedata
from collections.abc import Sequence
from hashlib import sha256

from data.ids import InteractionId

_SILENT = "auto"
_NO_WORD = "-"


def contribute(items: Sequence[str], seat: int, interaction_id: InteractionId, word: str = "") -> list[str]:
    """The items with this seat's contribution. A seat's first one counts, but a typed word replaces a press."""
    kept = _by_seat(items)
    if seat not in kept or (word and kept[seat].endswith(f":{_NO_WORD}")):
        kept[seat] = f"{seat}:{mixture(interaction_id, word)}"
    return list(kept.values())


def mixture(interaction_id: InteractionId, word: str = "") -> str:
    """The contribution of a press or of a typed word: an item without its seat number."""
    return f"{interaction_id}:{_word_hash(word) if word else _NO_WORD}"


def has_contributed(items: Sequence[str], seat: int) -> bool:
    """Whether this seat has contributed anything yet."""
    return seat in _by_seat(items)


def reseated(items: Sequence[str], kept: Sequence[int]) -> list[str]:
    """The items after the seats were renumbered: `kept` holds the former number of each seat in order, -1 for none."""
    before = _by_seat(items)
    return [
        f"{seat}:{before[former].partition(':')[2]}" for seat, former in enumerate(kept) if former in before
    ]


def complete(items: Sequence[str], order: Sequence[int]) -> list[str]:
    """The items of all seats in the order of play. The dealer's comes last, as when the pack is cut."""
    given = _by_seat(items)
    return [given.get(seat, f"{seat}:{_SILENT}:{_NO_WORD}") for seat in order]


def _by_seat(items: Sequence[str]) -> dict[int, str]:
    return {int(item.partition(":")[0]): item for item in items}


def _word_hash(word: str) -> str:
    return sha256(unicodedata.normalize("NFC", word).encode()).hexdigest()
