"""The names of computers at tables. Each has a temper of its own, so that people get to know them."""

from collections.abc import Collection
from typing import Final

from league.ids import TableId
from marriage.strategy.tempers import Temper

TEMPERS: Final[dict[str, Temper]] = {
    "Bir": Temper.BOLD,
    "Dhiraj": Temper.CAREFUL,
    "Laxmi": Temper.HOARDER,
    "Durga": Temper.BOLD,
    "Shanti": Temper.CAREFUL,
    "Kuber": Temper.HOARDER,
    "Himmat": Temper.BOLD,
    "Sushil": Temper.CAREFUL,
    "Dhanraj": Temper.HOARDER,
}
"""Given names of Nepal that say what the temper is: brave, patient, wealthy. Neighbours in the list differ."""
MOUNTAINS: Final = ("Sagarmatha", "Machhapuchhre", "Annapurna", "Dhaulagiri", "Makalu")
"""Computers without a temper. The deal of the day has them, so that everybody meets the same ones; so have tables of former days."""


def free_name(table_id: TableId, seat: int, taken: Collection[str]) -> str:
    """The name of a computer for a seat, always the same for this table and seat while nobody has taken it."""
    names = list(TEMPERS)
    first = (table_id + seat) % len(names)
    return next(name for name in (*names[first:], *names[:first]) if name not in taken)
