"""Every English word in the pictures and their alt text, in one place."""

from typing import Final

from marriage.cards import MAN, MASTER, UNKNOWN
from marriage.maal import Role
from marriage.sheet import Status, What
from marriage.state import ShowKind
from render.layout import HeapKind

SUITS: Final = ("Spades", "Hearts", "Diamonds", "Clubs")
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SPECIALS: Final = {MAN: "Man", MASTER: "Master", UNKNOWN: "Unknown"}

SEAT: Final = "Seat {number}"
SHOWN: Final = "Shown"
PAIRS: Final = "Shown pairs"
TUNNELA: Final = "Tunnela"
SETS: Final = "Pure sets"
DUBLEES: Final = "Dublees"
APART: Final = "apart"
DRAWN: Final = "Drawn"
TAKEN: Final = "Taken"
TIPLU: Final = "Tiplu"
STOCK: Final = "Stock"
PILE: Final = "Pile"
WINDOW: Final = "Tunnela window"
OVER: Final = "Deal over"
WINNER: Final = "Winner"
DISMISSED: Final = "Deal dismissed"
GROUP_FINISH: Final = "finished with seven groups"
DUBLEE_FINISH: Final = "finished with eight dublees"
NOBODY: Final = "Nobody scores, nobody pays"
SEEN: Final = "Seen"
OUT: Final = "Dead hand"
DEALER_MARK: Final = "D"
TOTAL: Final = "Total"
POINTS: Final = "Points"
MAAL: Final = "Maal"
PAYMENT: Final = "Payment"
FOUL: Final = "Foul"

BADGES: Final = {Role.TIPLU: "T", Role.POPLU: "P", Role.JHIPLU: "J", Role.ALTER: "A", Role.JOKER: "W"}
SHOW_KINDS: Final = {ShowKind.GROUPS: "three groups", ShowKind.DUBLEES: "seven dublees"}
HEAPS: Final = {
    HeapKind.OWN: "Yours",
    HeapKind.TUNNELA: "Tunnela",
    HeapKind.SEQUENCE: "Pure sequence",
    HeapKind.TRIAL: "Trial",
    HeapKind.DIRTY_SEQUENCE: "Sequence",
    HeapKind.DIRTY_TRIAL: "Trial",
    HeapKind.WILDS: "Jokers",
    HeapKind.DUBLEE: "Dublee",
    HeapKind.PARTIAL: "Begun",
    HeapKind.REST: "Others",
}
"""What is written below heaps; in alt text before them."""
STATUSES: Final = {
    Status.SEEN: "Seen",
    Status.UNSEEN: "Unseen",
    Status.FOUL: "Foul",
    Status.PAUSE: "Sat out",
}
ITEMS: Final = {
    What.TIPLU: "Tiplu",
    What.POPLU: "Poplu",
    What.JHIPLU: "Jhiplu",
    What.ALTER: "Alter",
    What.MAN: "Man",
    What.MASTER: "Master",
    What.MARRIAGE: "Marriage",
    What.LAID_MARRIAGE: "Laid marriage",
    What.TUNNELA: "Tunnela",
    What.JOKER_TUNNELA: "Joker tunnela",
    What.MAAL_TUNNELA: "Maal tunnela",
    What.ALTER_TUNNELA: "Alter tunnela",
    What.MAN_TUNNELA: "Man tunnela",
    What.UNSEEN: "Unseen",
    What.KIDNAPPED: "Kidnapped",
    What.COUNTED: "Counted",
}


def signed(number: int) -> str:
    """A gain or loss with its sign; a true minus, as wide as the plus."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"
