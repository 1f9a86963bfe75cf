import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from render.drawing.text import (
    LONGEST,
    clean,
    draw_text,
    drawable,
    draws_east_asian,
    face_for,
    fit,
    fit_words,
    found,
    missing_for_shaping,
    shaping,
    shortened,
    width,
)


@given(st.text(max_size=300))
def test_a_clean_name_is_one_short_line(name: str) -> None:
    text = clean(name)
    assert len(text) <= LONGEST
    assert text == " ".join(text.split())
    assert clean(text) == text


def test_marks_do_not_pile_up() -> None:
    assert len(clean("Z" + "\u0303\u0324" * 40)) <= 6


def test_devanagari_stays_as_it_is() -> None:
    assert clean("राम बहादुर श्रेष्ठ") == "राम बहादुर श्रेष्ठ"
    assert clean("क्\u200dष") == "क्\u200dष"


def test_a_name_without_room_loses_whole_words_first() -> None:
    room = round(width("Shanti (", 24))
    assert fit_words("Shanti (bot)", room, 24) == "Shanti"
    assert fit_words("Shanti (bot)", 400, 24) == "Shanti (bot)"
    assert fit_words("Bartholomew", room, 24) == fit("Bartholomew", room, 24)


@given(st.text(min_size=1, max_size=60), st.integers(60, 400))
def test_a_fitted_name_is_no_wider_than_its_place(name: str, most: int) -> None:
    text = drawable(name, "Seat 1")
    assert width(fit(text, most, 30), 30) <= most or fit(text, most, 30) == "…"


def test_a_cut_keeps_letters_and_their_marks_together() -> None:
    name = "श्रेष्ठश्रेष्ठश्रेष्ठ"
    for most in range(40, 300, 7):
        kept = fit(name, most, 30).removesuffix("…")
        assert not kept.endswith("\u094d")
        assert not name[len(kept) :].startswith(("\u0947", "\u094d"))


def test_what_no_font_has_is_left_out() -> None:
    assert face_for("A") == 0
    assert face_for("त") == 0
    assert face_for("\U0010fffe") is None
    assert drawable("\U0010fffe\U0010fffe", "Seat 3") == "Seat 3"


def test_what_is_left_of_a_name_begins_with_a_letter() -> None:
    assert drawable("\U0010fffe\u200d\U0010fffe Kiran \u200d\U0010fffe", "Seat 3") == "Kiran"
    assert drawable("क्\u200dष", "Seat 3") == "क्\u200dष"


def test_a_cut_name_written_from_the_right_ends_at_the_left() -> None:
    """The dots of an ellipsis lie on the line, where these letters have little ink."""
    name = fit("محمد عبد الرحمن", 150, 30)
    image = Image.new("L", (200, 60))
    draw_text(ImageDraw.Draw(image), (10, 40), name, 30, "white")
    ends = (
        image.crop((10, 36, 10 + round(width("…", 30)), 40)),
        image.crop((0, 0, 10 + round(width("…", 30)), 30)),
    )
    assert name.endswith("…")
    assert ends[0].getbbox() is not None
    assert ends[1].getbbox() is None


def test_devanagari_is_shaped_where_it_can_be() -> None:
    """The sign i is written before its letter: shaped, तिप्लु is narrower than its characters one by one."""
    apart = sum(width(character, 60) for character in "तिप्लु")
    assert (width("तिप्लु", 60) < apart - 1) == (not missing_for_shaping())


def test_text_stays_where_its_anchor_says() -> None:
    image = Image.new("L", (400, 100))
    draw_text(ImageDraw.Draw(image), (390, 50), "Hx", 40, "white", anchor="rm")
    left, top, right, bottom = image.getbbox() or (0, 0, 0, 0)
    assert right <= 391
    assert left > 300
    assert abs((top + bottom) / 2 - 50) <= 2


@given(st.text(max_size=90), st.integers(0, 40))
def test_a_shortened_text_ends_with_a_whole_letter(text: str, most: int) -> None:
    short = shortened(text, most)
    assert len(short) <= most
    letters = regex.findall(r"\X", text)
    assert short in {"".join(letters[:count]).rstrip() for count in range(len(letters) + 1)}


def test_families_stay_together() -> None:
    family = "👨‍👩‍👧‍👦"
    assert shortened(f"A{family}{family}", 12) == f"A{family}"
    assert shortened(f"A{family}", 5) == "A"


def test_what_is_missing_for_shaping_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shaping().startswith("missing") == bool(missing_for_shaping())
    monkeypatch.setattr("PIL.features.check", lambda feature: feature == "raqm")
    assert "libfribidi0" in missing_for_shaping()
    monkeypatch.setattr("PIL.features.check", lambda feature: False)
    assert "Pillow with raqm" in missing_for_shaping()
    assert "out of order" in shaping()


@pytest.mark.parametrize(
    "name", ["Ольга", "Γιώργος", "محمد", "דוד", "Nguyễn", "Զարուհի", "გიორგი", "😀", "★"]
)
def test_a_name_in_many_scripts_needs_no_font_of_the_machine(name: str) -> None:
    assert found()[:2] == ("Mukta", "DejaVu Sans")
    assert all((face_for(character) or 0) <= 1 for character in name)
    assert drawable(name, "Seat 1") == name


def test_a_word_is_drawn_in_one_face() -> None:
    """DejaVu has all of Nguyễn, Mukta all but one letter of it: a mixed word would look like a ransom note."""
    assert face_for("Nguyễn") == 1
    assert width("Nguyễn", 60) == width("Nguyển", 60)
    assert width("Nguyen Nguyễn", 60) == pytest.approx(width("Nguyen ", 60) + width("Nguyễn", 60))


def test_a_name_that_cannot_be_drawn_becomes_a_number_without_boxes() -> None:
    shown = drawable("小林さくら", "Seat 3")
    assert shown == ("小林さくら" if draws_east_asian() else "Seat 3")


def test_ornate_letters_that_no_font_has_become_plain_ones() -> None:
    assert drawable("𝓢𝓲𝓽𝓪 𝕲", "Seat 2") == "Sita G"
