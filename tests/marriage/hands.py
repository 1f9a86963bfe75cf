"""Classes of hands to try the solver on: random ones, and those that are hard for one reason or another."""

from marriage.cards import CARDS, MAN, MASTER, PACKS, sort_cards
from marriage.groups import wilds_for
from marriage.rules import Rules

KINDS = ("random", "wilds", "suit", "block", "dense")


def deck(rules: Rules):
    pack = [card for card in CARDS if card.is_pack] * PACKS
    return pack + [MAN] * rules.man_cards + [MASTER] * (rules.master_card != "off")


def draw(kind, size, tiplu, chance, rules):
    """Return a hand of `size` cards of a kind.

    The kinds are: any cards, 6 to 13 wilds, one suit, a square of 16 faces, few faces.
    """
    cards = deck(rules)
    cards.remove(tiplu)
    match kind:
        case "random":
            liked = []
        case "wilds":
            wild = [card for card in cards if card in wilds_for(tiplu, rules)]
            liked = chance.sample(wild, min(size, chance.randint(6, 13)))
        case "suit":
            low, suit = chance.randrange(6), chance.randrange(4)
            liked = [
                card for card in cards if card.is_pack and card.suit == suit and low <= card.rank < low + 8
            ]
        case "block":
            low = chance.randrange(10)
            liked = [card for card in cards if card.is_pack and low <= card.rank < low + 4]
        case "dense":
            faces = chance.sample(CARDS[:52], chance.choice([8, 10, 14, 20]))
            liked = [card for card in cards if card in faces]
    liked = chance.sample(liked, min(size, len(liked)))
    for card in liked:
        cards.remove(card)
    return sort_cards(liked + chance.sample(cards, size - len(liked)))
