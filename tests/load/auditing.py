"""Compares answers with the stored games: no acknowledged move may be lost, and no refused one made."""

from collections.abc import Sequence

from tests.games import Rows
from tests.load.judging import LONGEST
from tests.load.panels import words
from tests.load.presses import Press

LOST, MADE = "answered as made, but not stored", "answered as refused, but stored"


async def no_audit(_presses: Sequence[Press]) -> None:
    """Check nothing, because nothing is stored."""


async def audit_moves(rows: Rows, presses: Sequence[Press]) -> None:
    """Note a fault for each move whose answer does not match the bot's database."""
    stored = {number for (number,) in await rows("SELECT interaction_id FROM interaction_seen")}
    for press in presses:
        if press.aim.kind != "move" or press.complete is None:
            continue
        is_stored = press.interaction.id in stored
        if not press.fault and not is_stored:
            press.fault = f"{LOST}: {_said(press)}"
        elif press.fault and is_stored:
            press.fault = f"{MADE}: {press.fault}"


def _said(press: Press) -> str:
    """Return the first words of the answer, which show what the person read instead."""
    message = press.interaction.response or press.interaction.message
    return "nothing" if message is None else words(message)[:LONGEST]
