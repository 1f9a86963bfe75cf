"""Whether what was answered is what is stored: no acknowledged move may be lost, and no refused one made."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from tests.load.presses import Press

LOST, MADE = "answered as made, but not stored", "answered as refused, but stored"


def no_audit(_presses: Sequence[Press]) -> None:
    """Nothing is stored."""


def audit_moves(file: Path, presses: Sequence[Press]) -> None:
    """Note as a fault of a move what its answer says and the bot's file does not."""
    stored = _interactions(file)
    for press in presses:
        if press.aim.kind != "move" or press.complete is None:
            continue
        is_stored = press.interaction.id in stored
        if not press.fault and not is_stored:
            press.fault = LOST
        elif press.fault and is_stored:
            press.fault = f"{MADE}: {press.fault}"


def _interactions(file: Path) -> set[int]:
    """Every interaction that has changed something, as the file says."""
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as db:
        return {number for (number,) in db.execute("SELECT interaction_id FROM interaction_seen")}
