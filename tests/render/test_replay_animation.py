"""The animated replay and the open hands: one frame per step, the same bytes for the same deal, small."""

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from marriage.events import Dealt
from marriage.review import ReviewStep, steps
from marriage.strategy.players import GreedyPlayer
from render.alt import by_suit
from render.replay_animation import LAST_MS, LONG_MS, SHORT_MS, Animation, Frame, draw_replay, durations
from render.style import Style
from render.table_picture import WIDTH, draw_open_hands, known_seats
from tests.marriage.dealing import deal, play

NAMES = ("Asha", "राम बहादुर", "@everyone <b>")
TITLE = "The deal, step by step."


@pytest.fixture(scope="module")
def found() -> tuple[ReviewStep, ...]:
    state, events = deal(2, 3)
    for *_, happened in play(state, GreedyPlayer(count_outs=False).choose):
        events = [*events, *happened]
    return steps(events)


def frames(found: tuple[ReviewStep, ...], seat: int | None = None) -> tuple[Frame, ...]:
    return tuple(
        Frame(step.seen_by(seat).view, f"Step {number}", step.notable) for number, step in enumerate(found)
    )


def some(found: tuple[ReviewStep, ...]) -> tuple[ReviewStep, ...]:
    """Return the first steps and the last: enough to check, and quickly drawn."""
    return (*found[:5], found[-1])


def images(animation: Animation) -> list[Image.Image]:
    with Image.open(BytesIO(animation.gif)) as picture:
        shown = []
        for number in range(picture.n_frames):
            picture.seek(number)
            shown.append(picture.convert("RGB"))
        return shown


def test_a_whole_deal_is_small_and_has_a_frame_a_step(found):
    opened = tuple(Frame(step.opened().view, "Step", step.notable) for step in found)
    animation = draw_replay(opened, (0, 1, 2), NAMES, TITLE)
    with Image.open(BytesIO(animation.gif)) as picture:
        assert (picture.format, picture.n_frames, picture.info["loop"]) == ("GIF", len(found), 0)
        assert picture.size == (animation.width, animation.height)
    assert animation.width == 495
    assert len(animation.gif) < 2_000_000 * max(1, len(found) / 60)


def test_the_same_deal_gives_the_same_bytes(found):
    once = draw_replay(frames(some(found)), (), NAMES, TITLE)
    again = draw_replay(frames(some(found)), (), NAMES, TITLE)
    assert (once.gif, once.alt) == (again.gif, again.alt)
    assert draw_replay(frames(some(found)), (), NAMES, TITLE, Style(suits="two")).gif != once.gif


def test_frames_stay_as_long_as_there_is_to_see(found):
    timed = durations(frames(found))
    assert (timed[0], timed[-1]) == (LONG_MS, LAST_MS)
    assert {SHORT_MS, LONG_MS, LAST_MS} == set(timed)
    assert [ms == LONG_MS for ms in timed[:-1]] == [step.notable for step in found[:-1]]
    animation = draw_replay(frames(some(found)), (), NAMES, TITLE)
    with Image.open(BytesIO(animation.gif)) as picture:
        kept = []
        for number in range(picture.n_frames):
            picture.seek(number)
            kept.append(picture.info["duration"])
    assert kept == durations(frames(some(found)))


def test_every_frame_is_drawn_whole(found):
    """What a frame keeps of the one before is what it would show by itself."""
    shown = images(draw_replay(frames(some(found), 0), (0,), NAMES, TITLE))
    last = draw_replay((frames(some(found), 0)[-1],), (0,), NAMES, TITLE)
    with Image.open(BytesIO(last.gif)) as picture:
        alone = picture.convert("RGB")
    below_the_caption = (0, 38, *alone.size)
    changed = ImageChops.difference(shown[-1].crop(below_the_caption), alone.crop(below_the_caption))
    assert changed.getbbox() is None


def test_what_a_seat_does_not_see_is_not_in_the_bytes(found):
    """The hidden hand and the stock differ, but the spectator's frames are the same to the last byte."""
    other = deal(2, 3)[1][0]
    assert isinstance(other, Dealt)
    first, second, third = other.hands
    swapped = replace(other, hands=(second, first, third), stock=other.stock[::-1])
    shown = [draw_replay(frames(steps([first]), None), (), NAMES, TITLE) for first in (other, swapped)]
    assert shown[0].gif == shown[1].gif
    mine = [draw_replay(frames(steps([first]), 2), (2,), NAMES, TITLE) for first in (other, swapped)]
    assert mine[0].gif == mine[1].gif
    drawn = [draw_replay(frames(steps([first]), 0), (0,), NAMES, TITLE) for first in (other, swapped)]
    assert drawn[0].gif != drawn[1].gif


def test_the_alt_text_tells_the_turning_points(found):
    told = frames(found)
    alt = draw_replay((told[0], told[1], *[f for f in told if f.notable][1:]), (), NAMES, TITLE).alt
    assert alt.startswith(f"{TITLE} Step 0; ")
    assert "Step 1;" not in alt
    assert alt.endswith(f"; {told[-1].caption}")
    long = tuple(Frame(told[0].view, "x" * 300, notable=True) for _ in range(5))
    assert len(draw_replay(long, (), NAMES, TITLE).alt) == 1000


def test_an_animation_needs_a_frame():
    with pytest.raises(ValueError, match="at least one frame"):
        draw_replay((), (), NAMES, TITLE)


def test_open_hands_show_every_hand_in_picture_and_words(found):
    view = found[10].opened().view
    picture = draw_open_hands(view, NAMES)
    assert picture.width == WIDTH
    assert picture.height < 600
    assert draw_open_hands(view, NAMES) == picture
    for seat in view.seats:
        assert by_suit(seat.concealed or ()) in picture.alt
    assert len(picture.alt) <= 1000


def test_a_hand_without_cards_is_drawn_as_well(found):
    view = found[10].opened().view
    empty = replace(view.seats[0], concealed=(), concealed_count=0)
    picture = draw_open_hands(replace(view, seats=(empty, *view.seats[1:])), NAMES)
    assert picture.height == draw_open_hands(view, NAMES).height
    assert picture.alt.startswith("Asha: ")


def test_open_hands_of_a_seat_are_its_own_alone(found):
    view = found[10].seen_by(1).view
    assert known_seats(view) == (1,)
    assert "Asha" not in draw_open_hands(view, NAMES).alt
    with pytest.raises(ValueError, match="no hand"):
        draw_open_hands(found[10].seen_by(None).view, NAMES)
