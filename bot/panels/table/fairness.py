"""What everybody may know of a shuffle before its cards are shown."""

from bot.table.core.snapshot import Shuffle
from bot.words.texts import Texts


def fairness(shuffle: Shuffle | None, key: str, texts: Texts) -> str:
    """The seal of a shuffle, and the contributions of the seats."""
    if shuffle is None:
        raise ValueError("a table has a sealed shuffle")
    mixed = " ".join(f"`{item}`" for item in shuffle.entropy) or "–"
    return texts(key, deal=shuffle.deal_no, commitment=shuffle.commitment, mixed=mixed)
