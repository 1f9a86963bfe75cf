"""The hand solver: whether a seat can show or finish, how, and how far it is from that.

Everything here is deterministic: the same question has the same answer, ties included. It uses only the cards
that a seat holds or sees.
"""

from marriage.solver.hand import NEVER, Hand, distance, rough_distance, show_distance
from marriage.solver.layouts import (
    ArrangedHand,
    FinishPlan,
    arrange,
    distances_after,
    find_dublees,
    find_finish,
    find_finishes,
    find_show,
    pairs,
    plan_show,
)

__all__ = [
    "NEVER",
    "ArrangedHand",
    "FinishPlan",
    "Hand",
    "arrange",
    "distance",
    "distances_after",
    "find_dublees",
    "find_finish",
    "find_finishes",
    "find_show",
    "pairs",
    "plan_show",
    "rough_distance",
    "show_distance",
]
