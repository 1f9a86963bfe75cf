"""The fairness of a shuffle: one button, and the panel behind it with everything there is to check.

What everybody may know of a shuffle is its seal and what the players mixed in; its seed only when the deal is over.
"""

from collections.abc import Iterator

from bot.table.core.snapshot import Shuffle, Snapshot
from bot.ui.items import Button, Press
from bot.ui.panel import Panel, panel, text
from bot.words.names import Mentions
from bot.words.texts import Texts
from league.ids import TableId

_SHORT = 4
"""The digits of the seal that are shown to recognise it by."""


def fair_button(table_id: TableId, texts: Texts) -> Button:
    """The button that shows all shuffles of a table."""
    return Button(Press("fair", table_id, 0), texts("button.fair"))


def seal(commitment: str) -> str:
    """The beginning of a seal, to recognise it by."""
    return commitment[:_SHORT]


def fairness_panel(snapshot: Snapshot, mentions: Mentions, texts: Texts) -> Panel:
    """The whole seal, seed and contributions of the latest deal and the next one, and how to check them."""
    return panel(
        text(texts("fair.title", table=snapshot.table.id)),
        *(
            text("\n".join(_lines(shuffle, texts)))
            for shuffle in (snapshot.shuffle, snapshot.next_shuffle)
            if shuffle is not None
        ),
        text(texts("fair.how", verify=mentions["verify"], word=mentions["marriage word"])),
    )


def _lines(shuffle: Shuffle, texts: Texts) -> Iterator[str]:
    yield texts("fair.deal", deal=shuffle.deal_no)
    yield texts("fair.seal", commitment=shuffle.commitment)
    yield texts("fair.mixed", mixed=" ".join(f"`{item}`" for item in shuffle.entropy) or "–")
    yield texts("fair.seed_later") if shuffle.seed is None else texts("fair.seed", seed=shuffle.seed)
    for seed in shuffle.former:
        yield texts("fair.former", seed=seed)
