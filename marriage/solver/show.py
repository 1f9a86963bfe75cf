"""Choose what to lay for a show: three primary groups, or seven dublees."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from marriage.bits import ONE, contains, pack, twice
from marriage.cards import CARDS, MAN, MASTER, Card, Cards, sort_cards
from marriage.maal import wild_faces
from marriage.rules import PRIMARY_GROUPS, SHOW_DUBLEES, Rules
from marriage.solver.hand import (
    Hand,
    finish_question,
    holes,
    interchangeable,
    wild_copies,
)
from marriage.solver.question import (
    CoverPart,
    Question,
    disjoint,
    found,
    identical_pairs,
    masters,
    most_threes,
    run_families,
    trial_families,
    tunnelas,
    whole_threes,
    with_master,
)

_MOST_CHOICES: Final = 16
"""The number of different rests that `plan_show` compares."""


def find_show(
    concealed: Cards, exposed: Cards, rules: Rules, *, packed: int | None = None
) -> tuple[Cards, ...] | None:
    """Find three primary groups to lay, the exposed tunnelas of these faces first; None if there are not three.

    `packed` is the hand in the form of `marriage.bits`, if the caller has it.
    """
    wanted = PRIMARY_GROUPS - len(exposed)
    hand = pack(concealed) if packed is None else packed
    master = rules.master_in_sequences and MASTER in concealed
    if not master and most_threes(hand, trials=rules.primary_trial) < wanted:
        return None
    threes = whole_threes(hand, trials=rules.primary_trial)
    if master:
        threes += masters(hand, plus=False, tunnelas=rules.master_in_tunnelas, trials=rules.master_in_trials)
    laid = disjoint(threes, hand, wanted)
    return None if laid is None else (*_open_tunnelas(exposed), *(pattern.cards for pattern in laid))


def plan_show(hand: Hand, rules: Rules) -> tuple[Cards, ...] | None:
    """The three primary groups to lay that leave the cards with the smallest expected distance to a finish.

    Players choose their groups before they see the tiplu. So the distance is averaged over every possible tiplu, weighted
    by its unseen copies (unless the tiplu is open). Of very many choices only the most promising are compared.
    """
    choices = _choices(finish_question(hand, rules))
    if not choices:
        return None
    rests = sorted(choices, key=_distance_without_tiplu)[:_MOST_CHOICES] if len(choices) > 1 else [*choices]
    memo: dict[Question, int] = {}
    best = min(rests, key=lambda rest: _expected(rest, hand, rules, memo)) if len(rests) > 1 else rests[0]
    return (*_open_tunnelas(hand.exposed), *(part.cards for part in choices[best]))


def distances_after(hand: Hand, rules: Rules, laid: Iterable[Cards]) -> dict[Cards, int]:
    """Return the distance to a finish after each of these choices of cards to lay, averaged over every tiplu.

    The values are comparable with each other. If there are very many choices, only the most promising have a
    value.
    """
    asked = finish_question(hand, rules)
    if not asked.primary:
        return dict.fromkeys(laid, 0)  # the exposed tunnelas are the whole show
    rests = {cards: _rest(asked, pack(cards), len(cards), cards.count(MASTER)) for cards in sorted(laid)}
    promising = sorted(rests, key=lambda cards: _distance_without_tiplu(rests[cards]))[:_MOST_CHOICES]
    memo: dict[Question, int] = {}
    return {cards: _expected(rests[cards], hand, rules, memo) for cards in promising}


def _rest(asked: Question, laid: int, count: int, spent: int) -> Question:
    """Return the question that is left after laying `count` cards, `spent` of them the master card."""
    return asked._replace(
        hand=asked.hand - laid,
        primary=0,
        total=asked.total - count,
        spare=asked.spare - spent,
        master=False,
        master_live=False,
    )


def pairs(cards: Cards, rules: Rules) -> Cards:
    """Return the faces of all dublees among the cards of a seat, sorted; pass exposed and laid cards too.

    A third copy does not make a second pair. Two man cards make one only if the rules say so.
    """
    copies = Counter(cards)
    return sort_cards(
        card
        for card, count in copies.items()
        if count >= 2 and (card.is_pack or (card == MAN and rules.joker_dublee))
    )


def find_dublees(
    cards: Cards, rules: Rules, *, exposed: Cards = (), must: Card | None = None, packed: int | None = None
) -> Cards | None:
    """Return the faces of seven dublees to show, sorted; None if there are fewer.

    Those of the tunnelas that the seat has `exposed` come first, because that leaves the most cards in hand,
    and one has to be left to discard. `must` is a face that has to be among them. `packed` is the hand in the
    form of `marriage.bits`, if the caller has it.
    """
    hand = pack(cards) if packed is None else packed
    if twice(hand).bit_count() + rules.joker_dublee < SHOW_DUBLEES:
        return None  # true for most hands, and saves counting the copies of each card
    faces = pairs(cards, rules)
    if len(faces) < SHOW_DUBLEES or not (must is None or must in faces):
        return None
    first = sorted(faces, key=lambda face: (face != must, face not in exposed))
    return sort_cards(first[:SHOW_DUBLEES])


def _open_tunnelas(exposed: Cards) -> tuple[Cards, ...]:
    return tuple((face,) * 3 for face in exposed[:PRIMARY_GROUPS])


def _choices(asked: Question) -> dict[Question, tuple[CoverPart, ...]]:
    """Return the ways to lay the primary groups, keyed by the question that the rest of the hand poses.

    Each rest has one way.
    """
    parts = list(_whole_groups(asked))
    choices: dict[Question, tuple[CoverPart, ...]] = {}

    def lay(start: int, hand: int, laid: tuple[CoverPart, ...]) -> None:
        if len(laid) == asked.primary:
            spent = sum(part.pattern.master for part in laid)
            rest = _rest(asked, asked.hand - hand, sum(part.size for part in laid), spent)
            choices.setdefault(rest, laid)
            return
        for index in range(start, len(parts)):
            part = parts[index]
            if contains(hand, part.pattern.mask) and not (
                part.pattern.master and any(other.pattern.master for other in laid)
            ):
                lay(index, hand - part.pattern.mask, (*laid, part))

    lay(0, asked.hand, ())
    return choices


def _whole_groups(asked: Question) -> Iterator[CoverPart]:
    """Yield the primary groups in the hand that have no empty places, the smaller ones first."""
    patterns = tunnelas(asked.hand) + found(asked.hand, run_families(plus=asked.plus, pairs=asked.master))
    if asked.master and asked.master_tunnela:
        patterns += identical_pairs(asked.hand)
    if asked.primary_trial:
        patterns += found(asked.hand, trial_families(plus=asked.plus, pairs=asked.master))
    for pattern in sorted(patterns, key=lambda pattern: pattern.worth):
        if pattern.worth in pattern.sizes[:1]:
            yield CoverPart(pattern, pattern.worth, primary=True)
        size = pattern.worth + 1
        if asked.master and asked.takes_master(pattern) and size in pattern.sizes:
            yield CoverPart(with_master(pattern), size, primary=True)


def _distance_without_tiplu(rest: Question) -> int:
    return holes(interchangeable(rest))


def _expected(rest: Question, hand: Hand, rules: Rules, memo: dict[Question, int]) -> int:
    """Return the distance of a rest, weighted over every tiplu that the seat may see.

    The values are comparable, not normalised.
    """
    if hand.tiplu is not None:
        return _distance_without_tiplu(rest)
    total = 0
    for card, copies in zip(CARDS, hand.left(rules), strict=False):
        if not card.is_pack or not copies:
            continue
        live = rest.live if copies > 1 else rest.live & ~ONE[card]
        asked = interchangeable(rest._replace(wild=wild_copies(wild_faces(card)), live=live, stand_ins=True))
        if asked not in memo:
            memo[asked] = holes(asked)
        total += copies * memo[asked]
    return total
