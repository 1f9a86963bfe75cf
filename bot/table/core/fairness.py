"""What the seats mix into the shuffle, between the commitment to the seed and the deal.

An item is `<seat>:<interaction id>:<w>`: `w` is the hash of a word that the player typed, or `-`; a seat that said
nothing is `<seat>:auto:-`. Joining a table and asking for the next deal contribute by themselves. Only seat numbers,
ids of interactions and hashes are kept, so nothing here tells who played.
"""

import unicodedata
from collections.abc import Sequence
from hashlib import sha256

_SILENT = "auto"
_NO_WORD = "-"


def contribute(items: Sequence[str], seat: int, interaction_id: int, word: str = "") -> list[str]:
    """The items with this seat's contribution. The first one counts; a typed word takes the place of a mere press."""
    kept = _by_seat(items)
    if seat not in kept or (word and kept[seat].endswith(f":{_NO_WORD}")):
        kept[seat] = f"{seat}:{mixture(interaction_id, word)}"
    return list(kept.values())


def mixture(interaction_id: int, word: str = "") -> str:
    """What a press, or a typed word, contributes: an item without the number of a seat."""
    return f"{interaction_id}:{_word_hash(word) if word else _NO_WORD}"


def has_contributed(items: Sequence[str], seat: int) -> bool:
    """Whether this seat has mixed in anything yet."""
    return seat in _by_seat(items)


def reseated(items: Sequence[str], kept: Sequence[int]) -> list[str]:
    """The items after the seats were numbered anew: `kept` names the former number of each seat in order, -1 for none."""
    before = _by_seat(items)
    return [
        f"{seat}:{before[former].partition(':')[2]}" for seat, former in enumerate(kept) if former in before
    ]


def complete(items: Sequence[str], order: Sequence[int]) -> list[str]:
    """The items of all seats in the order of play. So the dealer's closes the list, like lifting the pack."""
    given = _by_seat(items)
    return [given.get(seat, f"{seat}:{_SILENT}:{_NO_WORD}") for seat in order]


def _by_seat(items: Sequence[str]) -> dict[int, str]:
    return {int(item.partition(":")[0]): item for item in items}


def _word_hash(word: str) -> str:
    return sha256(unicodedata.normalize("NFC", word).encode()).hexdigest()
