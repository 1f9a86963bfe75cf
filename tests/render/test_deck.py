"""The deck: all cards differ at every size, and figures stay within their cards."""

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from typing import Any

import pytest
from PIL import Image, ImageChops

from marriage.cards import CARDS, MAN, MASTER, UNKNOWN, Card
from marriage.maal import Role
from render.drawing import faces
from render.drawing.deck import BIG, LARGE, MARGIN, MEDIUM, PEEKING, SMALL, TINY, back, card, on_felt
from render.drawing.faces import COURT, HEIGHT, LAKHE, PEAK, Look, Size, draw_face
from render.style import DEFAULT, STYLES, Style, rgb

SIZES = [BIG, LARGE, MEDIUM, PEEKING, SMALL, TINY]
FACES = [*CARDS[:52], MAN, MASTER, UNKNOWN]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_no_two_cards_look_alike(size: Size) -> None:
    sprites = {card(face, size, DEFAULT).tobytes() for face in FACES}
    assert len(sprites) == len(FACES)


@pytest.mark.parametrize("style", STYLES, ids=str)
@pytest.mark.parametrize("face", [CARDS[0], CARDS[10], CARDS[24], CARDS[38], CARDS[51], MAN, MASTER, UNKNOWN])
def test_a_sprite_is_a_card_with_room_for_its_shadow(face, style: Style) -> None:
    sprite = card(face, BIG, style)
    assert sprite.size == (BIG.width + 2 * MARGIN, BIG.height + 2 * MARGIN)
    alpha = sprite.getchannel("A")
    inner = alpha.crop((MARGIN + 12, MARGIN + 12, MARGIN + BIG.width - 12, MARGIN + BIG.height - 12))
    assert inner.getextrema() == (255, 255)
    assert alpha.getpixel((0, 0)) < 20
    flat = on_felt(face, BIG, style)
    assert (flat.mode, flat.size) == ("P", sprite.size)


def test_the_left_edge_tells_a_card_where_another_covers_it() -> None:
    """In a fan, two thirds of a small card show, and half of a card in the pile."""
    for size, shows in ((TINY, 0.66), (SMALL, 0.66), (PEEKING, 0.5)):
        edge = (MARGIN, MARGIN, MARGIN + int(shows * size.width), MARGIN + size.height)
        strips = {card(face, size, DEFAULT).crop(edge).tobytes() for face in CARDS[:52]}
        assert len(strips) == 52


def test_the_three_packs_have_their_backs() -> None:
    backs = [back(MEDIUM, DEFAULT, pack) for pack in range(3)]
    for one, other in combinations(backs, 2):
        assert ImageChops.difference(one.convert("RGB"), other.convert("RGB")).getbbox() is not None


@pytest.mark.parametrize("role", [*Role])
def test_a_role_shows_on_every_card_that_has_room(role: Role) -> None:
    for size in (BIG, LARGE, MEDIUM):
        for shows in (1, 0.82):
            plain = draw_face(CARDS[9], size, DEFAULT, Look(shows=shows))
            assert draw_face(CARDS[9], size, DEFAULT, Look(role, shows=shows)).tobytes() != plain.tobytes()


def test_figures_stand_on_the_edge_of_their_cards() -> None:
    for parts in (*COURT.values(), LAKHE, PEAK):
        assert max(y for part in parts for _, y in part.shape) <= HEIGHT + 1
    for parts in COURT.values():
        assert all(-2 <= x <= 102 for part in parts for x, _ in part.shape)


def test_paths_are_read_as_svg_has_them() -> None:
    assert faces.outline("M0 0 L10 0 10 10 Z") == ((0, 0), (10, 0), (10, 10))
    curve = faces.outline("M0 0 C0 10 10 10 10 0")
    assert (curve[0], curve[-1]) == ((0, 0), (10, 0))
    assert max(y for _, y in curve) == pytest.approx(7.5)
    for path in ("M0 0 Q1 1 2 2", "m0 0 l1 1", "M0 0 A1 1 0 0 0 2 2"):
        with pytest.raises(ValueError, match="not a path"):
            faces.outline(path)


def test_threads_draw_a_sprite_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Card] = []

    def draw(face: Card, *rest: Any) -> Image.Image:
        drawn.append(face)
        return draw_face(face, *rest)

    monkeypatch.setattr("render.drawing.deck.draw_face", draw)
    size = Size(40, 54, rank=26, corner=20)
    with ThreadPoolExecutor(8) as pool:
        sprites = list(pool.map(lambda _: card(CARDS[33], size, DEFAULT).tobytes(), range(32)))
    assert drawn == [CARDS[33]]
    assert set(sprites) == {sprites[0]}


@pytest.mark.parametrize("rank", range(13))
def test_a_badge_covers_no_rank_and_is_covered_by_no_card(rank: int) -> None:
    """The card lies under another. The badge is next to the rank if there is room, or else below it."""
    plain, badged = (
        card(CARDS[13 + rank], size, DEFAULT, Look(Role.JOKER, shows=0.82)).convert("RGB")
        for size in (BIG._replace(badge=0), BIG)
    )
    box = ImageChops.difference(plain, badged).getbbox()
    assert box is not None
    assert box[2] <= MARGIN + 0.82 * BIG.width
    beside = box[1] < BIG.height / 2
    assert beside == (rank not in {0, 9, 11, 12})  # the broad ones: ace, ten, queen and king
    assert not beside or plain.crop(box).getcolors() == [
        ((box[2] - box[0]) * (box[3] - box[1]), rgb(DEFAULT.colours.wild))
    ]
