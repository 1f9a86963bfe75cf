"""Finds the cards that a text names, in any way in which this bot, or a careless program, writes cards.

Nothing here is taken from the code that writes cards: a card is its rank and the first letter of its suit,
such as `10S`. Man cards and the master card are not searched for, because "man" is a word in many texts.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import product

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
CARDS = [rank + suit for suit in "SHDC" for rank in RANKS]
_SUITS = {
    "S": ("♠", "♤", "Spades", "सुरथ", "हुकुम"),
    "H": ("♥", "♡", "Hearts", "पान"),
    "D": ("♦", "♢", "Diamonds", "इँटा", "ईंट"),
    "C": ("♣", "♧", "Clubs", "चिडी", "चिड़ी"),
}
"""How each suit is written: as a sign, and in every language."""
_SUIT_OF = {word: suit for suit, words in _SUITS.items() for word in words}
_RANK = "(?:10|[2-9AJQK])"
_WORD = "(?:" + "|".join(word for word in _SUIT_OF if len(word) > 1) + ")"
_SIGNED = re.compile(rf"({_RANK})\s?([♠♤♥♡♦♢♣♧])")
_OF_SUITS = re.compile(rf"({_RANK}) ?(?:of|:) ((?:{_WORD}[ ,]*)+)")
_BY_SUIT = re.compile(rf"({_WORD})((?: {_RANK}\b)+)")
_ONE_RANK = re.compile(_RANK)
_ONE_SUIT = re.compile(_WORD)
_TYPED = re.compile(rf"(?<![0-9A-Za-z])({_RANK}|T)([SHDC])(?![0-9A-Za-z])")
_EMOJI = re.compile(r"tiplu_(ace|jack|queen|king|10|[2-9])_of_(spades|hearts|diamonds|clubs)_")
_EMOJI_RANKS = {"ace": "A", "jack": "J", "queen": "Q", "king": "K"}
_SIGN_OF_UNICODE = {
    chr(0x1F0A0 + 16 * suit + place): rank + letter
    for suit, letter in enumerate("SHDC")
    for place, rank in zip((*range(1, 12), 13, 14), RANKS, strict=True)
}


def cards_in(text: str) -> set[str]:
    """Return every card that the text names."""
    return set(_named(text))


def _named(text: str) -> Iterator[str]:
    for rank, sign in _SIGNED.findall(text):
        yield rank + _SUIT_OF[sign]
    for rank, suit in _TYPED.findall(text):
        yield ("10" if rank == "T" else rank) + suit
    for rank, suits in _OF_SUITS.findall(text):
        for word in _ONE_SUIT.findall(suits):
            yield rank + _SUIT_OF[word]
    for word, ranks in _BY_SUIT.findall(text):
        for rank in _ONE_RANK.findall(ranks):
            yield rank + _SUIT_OF[word]
    for rank, suit in _EMOJI.findall(text):
        yield _EMOJI_RANKS.get(rank, rank) + suit[0].upper()
    yield from (_SIGN_OF_UNICODE[sign] for sign in text if sign in _SIGN_OF_UNICODE)


def neighbours(card: str, *, all_suits: bool) -> Iterator[str]:
    """Yield the cards above and below a known tiplu, and with `all_suits` those of its rank."""
    place, suit = RANKS.index(card[:-1]), card[-1]
    yield from (RANKS[(place + step) % len(RANKS)] + suit for step in (-1, 1))
    if all_suits:
        yield from (card[:-1] + other for other in "SHDC")


def whole_hands(hands: Iterable[list[str]]) -> set[str]:
    """Return each hand joined in its own order, to search for where single cards may be named."""
    joints = ('","', " ", ",", ", ")
    return {joint.join(hand) for hand, joint in product(hands, joints) if len(hand) > 1}
