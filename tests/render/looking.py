"""Reading pictures and alt text back, to compare them with the views they came from."""

import re
from io import BytesIO

from PIL import Image, ImageChops

from marriage.cards import MAN, MASTER, UNKNOWN, Cards, face, sort_cards
from render import words
from render.picture import Picture

SUITS = [words.suit_name(face(suit, 0)) for suit in range(4)]
SPECIALS = {words.suit_name(card): card for card in (MAN, MASTER, UNKNOWN)}


def opened(picture: Picture) -> Image.Image:
    image = Image.open(BytesIO(picture.png))
    image.load()
    return image


def listed_cards(text: str) -> Cards:
    """Return the cards of a list such as "Spades 2 3; Hearts K; Man 2"."""
    cards = []
    for part in re.split("[;,] ?", text):
        suit, *ranks = part.split()
        if suit in SUITS:
            cards += [face(SUITS.index(suit), words.RANKS.index(rank)) for rank in ranks]
        else:
            cards += [SPECIALS[suit]] * int(ranks[0])
    return sort_cards(cards)


def differing_columns(first: Picture, second: Picture) -> range:
    """Return the columns from the first to the last in which two pictures differ, within both heights."""
    one, two = opened(first).convert("RGB"), opened(second).convert("RGB")
    common = (0, 0, one.width, min(one.height, two.height))
    box = ImageChops.difference(one.crop(common), two.crop(common)).getbbox()
    return range(0) if box is None else range(box[0], box[2])
