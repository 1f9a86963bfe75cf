"""Whether an answer is correct: the right kind, for the right table, and no older than what was pressed."""

from bot.words.texts import texts
from playground.interactions import UPDATE, UPDATE_LATER
from playground.model import Message
from tests.load.panels import offers, words
from tests.load.presses import Judge, Press

say = texts()
APOLOGIES = tuple(
    say(f"error.{key}", id="\0").partition("\0")[0]
    for key in (
        "slow_down",
        "stale",
        "out_of_date",
        "unexpected",
        "store",
        "in_doubt",
        "busy",
        "not_shown",
        "not_finished",
        "damaged",
    )
)
NOTE = "> "
"""The prefix with which a hand's panel says that a press did not do what it should."""
WELCOMES = tuple(NOTE + say(f"presence.{key}") for key in ("welcome_back", "had_two_clocks"))
"""Notes above the hand for a person who was away: the press did what it should."""
BESIDE = {"settings", "fair", "replay", "analyse", "lost-throw", "hands"}
"""Buttons of a hand's panel that carry no revision of the table."""
LONGEST = 90


def anything(_press: Press, message: Message | None) -> str:
    """Judge any answer that is not an error message."""
    if message is None:
        return "no message"
    said = words(message) or message.content
    return said[:LONGEST] if not said or said.startswith(APOLOGIES) else ""


def a_hand(table: int) -> Judge:
    """Return a judge of the hand: it has its picture, and no complaint above it."""

    def judge(press: Press, message: Message | None) -> str:
        return anything(press, message) or _not_a_hand(press, message, table)

    return judge


def a_move(table: int) -> Judge:
    """Return a judge of the hand after a move: it is newer than the one that was pressed."""

    def judge(press: Press, message: Message | None) -> str:
        fault = anything(press, message) or _not_a_hand(press, message, table)
        if fault:
            return fault
        shown = [offer.revision for offer in offers(message).values()]
        return "the hand is as it was" if shown and max(shown) <= press.revision else ""

    return judge


def a_table(press: Press, message: Message | None) -> str:
    """Judge an answer that must edit the table's own message."""
    if press.interaction.callback_type in (UPDATE, UPDATE_LATER):
        return ""
    return (words(message) if message is not None else "no message")[:LONGEST]


def _not_a_hand(press: Press, message: Message | None, table: int) -> str:
    assert message is not None
    said = words(message)
    for line in said.splitlines():
        if line.startswith(NOTE) and not line.startswith(WELCOMES):
            return line[:LONGEST]
    if not message.attachments:
        return f"no picture: {said}"[:LONGEST]
    shown = [offer for offer in offers(message).values() if offer.verb not in BESIDE]
    if any(offer.table != table for offer in shown):
        return "of another table"
    return "older than what was pressed" if any(offer.revision < press.revision for offer in shown) else ""
