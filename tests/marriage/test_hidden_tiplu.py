"""Which face a hidden tiplu may be: what players who have seen it throw is hardly wild."""

from dataclasses import replace

from marriage.cards import CARDS, FACES, Card, parse_cards
from marriage.maal import wild_faces
from marriage.rules import preset
from marriage.solver import Hand
from marriage.state import ShowKind
from marriage.strategy.before_show import tiplu_chances
from marriage.view import View, view
from tests.marriage.dealing import deal


def thrown(pile: str, *throwers: int, shown: ShowKind = ShowKind.GROUPS, **options: object) -> View:
    """Return what seat 0 sees after these discards, if seat 1 has seen the tiplu."""
    seen = view(deal(3, 3, **preset("pagat", **options).model_dump())[0], 0)
    knows = replace(seen.seats[1], seen=True, shown=shown)
    return replace(
        seen, seats=(seen.seats[0], knows, seen.seats[2]), pile=parse_cards(pile), throwers=throwers
    )


def chances(seen: View) -> list[float]:
    return tiplu_chances(seen, Hand.of(seen).left(seen.rules))


def doubted(seen: View) -> set[Card]:
    """Return the faces that are less likely than the visible cards alone suggest."""
    left = Hand.of(seen).left(seen.rules)
    return {card for card, chance in zip(CARDS[:FACES], chances(seen), strict=True) if chance < left[card]}


def might_be_wild(card: str, seen: View) -> set[Card]:
    left = Hand.of(seen).left(seen.rules)
    return {tiplu for tiplu in CARDS[:FACES] if left[tiplu] and Card.parse(card) in wild_faces(tiplu)}


def test_what_a_player_who_has_seen_throws_is_hardly_wild() -> None:
    seen = thrown("7H", 1)
    assert doubted(seen) == might_be_wild("7H", seen)
    assert len(doubted(seen)) >= 5


def test_the_latest_discard_says_most() -> None:
    seen = thrown("7H QC", 1, 1)
    assert chances(seen)[Card.parse("JC")] < chances(seen)[Card.parse("8H")]
    assert doubted(seen) == might_be_wild("7H", seen) | might_be_wild("QC", seen)


def test_discards_of_those_who_have_not_seen_say_nothing() -> None:
    assert doubted(thrown("7H", 2)) == set()
    assert doubted(thrown("7H", 0)) == set()


def test_players_of_dublees_keep_maal_only() -> None:
    seen = thrown("7H", 1, shown=ShowKind.DUBLEES)
    assert Card.parse("7S") not in doubted(seen)
    assert doubted(seen) <= set(parse_cards("6H 7H 8H"))


def test_where_the_tiplu_is_seen_after_the_discard_the_latest_one_says_less() -> None:
    at_once, later = thrown("7H", 1), thrown("7H", 1, same_turn_finish=False)
    assert doubted(at_once) == doubted(later)
    assert max(chances(at_once)[card] for card in doubted(at_once)) < max(
        chances(later)[card] for card in doubted(later)
    )


def test_a_known_tiplu_is_certain() -> None:
    seen = replace(thrown("7H", 1), tiplu=Card.parse("9S"))
    certain = [card for card, chance in zip(CARDS, chances(seen), strict=False) if chance]
    assert certain == [Card.parse("9S")]
