"""`arrange`: the distance of a hand from a finish, its sets, and the best discard."""

from argparse import ArgumentParser, Namespace
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from marriage.cards import MAN, MASTER, Card, Cards, contains, format_cards, without
from marriage.cli.command import (
    CardList,
    CliCommand,
    GroupList,
    OneCard,
    WithRules,
    add_rules,
    require_deck,
    rules_keys,
    table,
)
from marriage.groups import in_order, is_primary, wilds_for
from marriage.rules import HAND_SIZE, PRIMARY_GROUPS, Rules
from marriage.solver import Hand, find_show
from marriage.solver.cover import Cover, Question, cover
from marriage.solver.hand import finish_question

_DESCRIPTION: Final = """\
Lay out a hand of 21 cards, or of 22 after drawing.

  --hand "3S 4S 5S 6H 6H 6H QS KS AS 9D 10D JD KS KC KH 6D QC 8D JH 2C 2H" --tiplu JC

With --jsonl the same keys stand in JSON: {"hand": "...", "tiplu": "JC", "laid": ["3S 4S 5S", ...], "preset": "pagat",
"options": {...}}.

The three laid sets may be among the cards of the hand or listed in addition to them, whichever makes 21 or 22 cards in
all. Without a tiplu nothing is wild.

can_show    whether the hand has three pure sets, without wild cards (true when they are laid)
can_finish  distance is 0
distance    the least number of cards to exchange until three pure sets and the other sets of a finish are complete;
            null if no cards can complete them
sets        the complete sets, the laid ones first, of an arrangement with the least distance
discard     of 22 cards the best one to throw; null for 21
"""


class Arrange(WithRules):
    """A hand to lay out."""

    hand: CardList
    tiplu: OneCard | None = None
    laid: GroupList = ()


@dataclass(frozen=True, slots=True)
class Arranged:
    """A hand laid out."""

    can_show: bool
    distance: int | None
    sets: tuple[Cards, ...]
    rest: Cards
    """The cards that are neither in a set nor discarded."""
    discard: Card | None


def run(asked: Arrange) -> Arranged:
    """Lay out a hand; raises ValueError for a hand that is impossible under these rules."""
    rules = asked.rules()
    concealed = _concealed(asked)
    laid = tuple(map(tuple[Card, ...], asked.laid))
    _check_laid(laid, rules)
    require_deck(Counter((*concealed, *(card for group in laid for card in group))), asked.tiplu, rules)
    hand = Hand(concealed=concealed, laid=laid, tiplu=asked.tiplu)
    if len(concealed) + sum(map(len, laid)) > HAND_SIZE:
        discard, kept, best = _throw(hand, rules)
    else:
        discard, kept, best = None, hand, cover(_question(hand, rules))
    wilds = wilds_for(asked.tiplu, rules)
    sets = [] if best is None else _sets(best, kept.concealed, wilds)
    return Arranged(
        can_show=bool(laid) or find_show(concealed, (), rules) is not None,
        distance=None if best is None else best.holes,
        sets=(*laid, *(in_order(group, wilds) for group in sets)),
        rest=without(kept.concealed, [card for group in sets for card in group]),
        discard=discard,
    )


# Validation


def _concealed(asked: Arrange) -> Cards:
    """Return the cards in hand, without the laid ones."""
    laid = [card for group in asked.laid for card in group]
    full = (HAND_SIZE, HAND_SIZE + 1)
    if laid and len(asked.hand) in full and contains(asked.hand, laid):
        return without(asked.hand, laid)
    if len(asked.hand) + len(laid) in full:
        return tuple(sorted(asked.hand))
    count = f"{len(asked.hand)} cards and {len(laid)} laid" if laid else f"{len(asked.hand)} cards"
    raise ValueError(f"a hand has {HAND_SIZE} cards, or {HAND_SIZE + 1} after drawing; this one has {count}")


def _check_laid(laid: tuple[Cards, ...], rules: Rules) -> None:
    if laid and len(laid) != PRIMARY_GROUPS:
        raise ValueError(f"a show lays {PRIMARY_GROUPS} sets, not {len(laid)}")
    for group in laid:
        if not is_primary(group, rules, exposed=(MAN,)):
            raise ValueError(f"{format_cards(group) or 'nothing'} is no pure set under these rules")


# The search


def _question(hand: Hand, rules: Rules) -> Question:
    """Return the groups still to be made. While no tiplu is given, only an always-wild master card can stand in."""
    asked = finish_question(hand, rules)
    if hand.tiplu is not None:
        return asked
    always = rules.master_in_sequences
    held = hand.concealed.count(MASTER) if always else 0
    live = always and hand.left(rules)[MASTER] > 0
    return asked._replace(spare=held, stand_ins=held > 0 or live, master_only=True)


def _throw(hand: Hand, rules: Rules) -> tuple[Card, Hand, Cover | None]:
    """Return the discard that does not increase the distance, the hand without it, and the cover of that hand.

    21 places need 21 of the 22 cards at most, so a card that fills no place of its own can go. Wild cards and cards with
    near neighbours are kept if there is another such card.
    """
    best = cover(_question(hand, rules))
    used = Counter[Card](card for part in (best.parts if best else ()) for card in part.cards)

    def order(card: Card) -> tuple[bool, bool, int, Card]:
        near = sum(_near(card, other) for other in hand.concealed)
        return used[card] >= hand.concealed.count(card), card in hand.wilds, near, card

    thrown = min(hand.concealed, key=order)
    kept = hand._replace(concealed=without(hand.concealed, [thrown]), dead=(thrown,))
    return thrown, kept, best and cover(_question(kept, rules), at_most=best.holes)


def _near(card: Card, other: Card) -> bool:
    """Return whether two cards of the packs can share a group of three."""
    if not (card.is_pack and other.is_pack):
        return False
    apart = abs(card.rank - other.rank)
    return apart == 0 or (card.suit == other.suit and (apart <= 2 or apart >= 11))


def _sets(found: Cover, cards: Cards, wilds: frozenset[Card]) -> list[Cards]:
    """Return the complete sets of a cover. Wild cards stand in where this is allowed."""
    parts = sorted(found.parts, key=lambda part: (not part.primary, part.size - len(part.cards)))
    left = sorted((Counter(cards) - Counter(card for part in parts for card in part.cards)).elements())
    stand_ins = [card for card in left if card in wilds]
    singles = [card for card in left if card.is_pack and card not in wilds]
    wanted = [(part.size, part.cards, not part.primary and not part.pattern.same) for part in parts]
    wanted += [(size, (singles.pop(),) if singles else (), True) for size in found.single]
    sets: list[Cards] = []
    for size, natural, dirty in wanted:
        missing = size - len(natural)
        if missing == 0 or (dirty and missing <= len(stand_ins)):
            sets.append((*natural, *(stand_ins.pop() for _ in range(missing))))
    return sets


# The answer


def to_json(arranged: Arranged) -> dict[str, Any]:
    """Return the answer for programs."""
    return {
        "can_show": arranged.can_show,
        "can_finish": arranged.distance == 0,
        "distance": arranged.distance,
        "sets": [format_cards(group) for group in arranged.sets],
        "discard": None if arranged.discard is None else str(arranged.discard),
    }


def to_text(arranged: Arranged) -> str:
    """Return the answer for people."""
    distance = "never" if arranged.distance is None else str(arranged.distance)
    rows = [
        ("can show", "yes" if arranged.can_show else "no"),
        ("can finish", "yes" if arranged.distance == 0 else "no"),
        ("distance", distance),
        ("sets", ", ".join(map(format_cards, arranged.sets)) or "-"),
        ("rest", format_cards(arranged.rest) or "-"),
    ]
    if arranged.discard is not None:
        rows.append(("discard", str(arranged.discard)))
    return table(rows)


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--hand", metavar="CARDS", help="the cards, parted by blanks")
    parser.add_argument("--tiplu", metavar="CARD", help="the tiplu, once it is known: then wild cards count")
    parser.add_argument(
        "--laid", metavar="SET", nargs="+", action="extend", help="the three sets shown, each as one text"
    )
    add_rules(parser)


def _read(arguments: Namespace) -> dict[str, Any]:
    if arguments.hand is None:
        raise ValueError('arrange needs --hand "CARDS"')
    given = {"hand": arguments.hand, "tiplu": arguments.tiplu, "laid": arguments.laid}
    return {key: value for key, value in given.items() if value is not None} | rules_keys(arguments)


COMMAND: Final = CliCommand(
    name="arrange",
    help="how far a hand is from its finish, its sets, what to throw",
    description=_DESCRIPTION,
    request=Arrange,
    add_arguments=_arguments,
    read=_read,
    run=run,
    to_json=to_json,
    to_text=to_text,
)
