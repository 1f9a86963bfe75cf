"""Sealing the next deal of a table: its seed is drawn and the commitment to it shown before anything else happens."""

import secrets
from collections.abc import Sequence
from dataclasses import replace

from bot.table.core.change import TableChange
from data.values import BoardRow, DealRow
from marriage.rules import RULES_VERSION, Rules
from marriage.shuffle import SHUFFLE_VERSION, DealSeed

SEED_BYTES = 32
MOST_FORMER = 20
"""How many former seeds of a deal are kept. The oldest are dropped first."""


def draw_seed() -> bytes:
    """Draw a new seed."""
    return secrets.token_bytes(SEED_BYTES)


def seal_next(
    change: TableChange, drawn: bytes, *, entropy: Sequence[str] = (), board: BoardRow | None = None
) -> None:
    """Seal the next deal with the seed that was drawn. A board already has its own seed and commitment."""
    number, rules = change.deal_no + 1, change.table.rules
    seed = board.secret if board else DealSeed(drawn, str(change.table.id), number)
    change.prepare(
        DealRow(
            table_id=change.table.id,
            deal_no=number,
            seed=seed.seed,
            commitment=seed.commitment(rules),
            entropy=list(entropy),
            shuffle_version=SHUFFLE_VERSION,
            rules_version=RULES_VERSION,
            rules=rules,
            dealer=change.changes.get("dealer", change.table.dealer),
            started_at=change.now,
            board_set=board.set_id if board else None,
            board_no=board.number if board else None,
        )
    )


def seal_anew(change: TableChange, drawn: bytes, rules: Rules, dealer: int | None = None) -> None:
    """Reseal the next deal for these rules, as one of the table's own. Earlier contributions no longer count.

    The former seed is shown, so that everybody can check its commitment. The seed of a board is not shown,
    because other tables play it.
    """
    before = change.following
    seed = DealSeed(drawn, str(change.table.id), before.deal_no)
    former = [before.seed.hex()] if before.board_set is None else []
    change.prepare(
        replace(
            before,
            seed=seed.seed,
            commitment=seed.commitment(rules),
            entropy=[],
            rules=rules,
            started_at=change.now,
            dealer=before.dealer if dealer is None else dealer,
            former_seeds=[*before.former_seeds, *former][-MOST_FORMER:],
            board_set=None,
            board_no=None,
        )
    )
