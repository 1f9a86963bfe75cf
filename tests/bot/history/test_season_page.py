"""The season as one page: everything escaped, nothing loaded, no script."""

import re
from html.parser import HTMLParser

import pytest
from jinja2 import UndefinedError

from bot.history.exports import season_files
from bot.history.season_page import ENVIRONMENT, TEMPLATES
from bot.words.refusals import decimal
from bot.words.texts import texts
from league.events import DivisionSet, SeasonClosed
from league.finals import draw_stage, seeds, stage_tables
from league.formats import FORMATS
from tests.league.seasons import Diary

EVIL = "<script>alert(1)</script>\"'&"
NOW = 1_795_000_000_000


class Reader(HTMLParser):
    """Collects tags and checks that they are closed in order."""

    VOID = ("meta", "br")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert all(name in {"class", "lang", "charset", "name", "content", "http-equiv"} for name, _ in attrs)
        self.seen.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def page(diary: Diary, names: dict[int, str]) -> tuple[str, Reader]:
    html = season_files(diary.season, names, NOW, texts())["season.html"].decode()
    reader = Reader()
    reader.feed(html)
    assert reader.open == []
    return html, reader


@pytest.mark.parametrize("divisions", [False, True])
def test_a_season_is_one_page_that_needs_nothing_else(divisions: bool):
    diary = Diary("divisions" if divisions else "pods", players=16)
    if divisions:
        for player in range(1, 17):
            diary.note(DivisionSet(player, 1 + (player > 8)))
    diary.round()
    diary.round()
    diary.note(SeasonClosed("ab" * 32))
    html, reader = page(diary, {1: EVIL, 2: "राम"})
    assert {"script", "link", "img", "iframe"} & set(reader.seen) == set()
    assert not re.search(r"https?:|url\(|@import", html)
    words = " ".join(reader.words)
    assert EVIL in reader.words
    assert "राम" in words
    assert "Player 3" in words
    assert ("Division 2" in words) is divisions
    assert "Round 2" in words
    assert "ab" * 32 in words
    assert "2026-11-18 11:06:40 UTC" in words


def test_the_page_is_as_wide_as_a_phone_and_carries_its_style():
    html, _ = page(Diary(players=4), {})
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in html
    assert (TEMPLATES / "season.css").read_text(encoding="utf-8") in html


def test_a_name_that_nothing_defines_is_an_error():
    with pytest.raises(UndefinedError):
        ENVIRONMENT.get_template("season.html").render()


def test_the_page_tells_what_was_carried_into_the_finals():
    diary = Diary(players=4, rounds=1, cut_to=4, final_matches=1)
    diary.round()
    [final] = draw_stage(diary.season, seeds(diary.season), due=0)
    diary.note(final)
    diary.play(final.pods[0].id)
    [rows] = stage_tables(diary.season, 4)
    _, reader = page(diary, {})
    said = [word for word in reader.words if word.strip()]
    at = said.index("The last 4: how they stand")
    told = said[at + 1 : at + 13]
    assert told[::3] == [f"Player {row.player}" for row in rows]
    assert told[2::3] == [decimal(row.points / 100, sign=True) for row in rows]
    assert all("carried" in word for word in told[1::3])


def test_a_season_before_its_first_round_has_a_page_too():
    html, _ = page(Diary(players=4), {})
    assert "Autumn" in html


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("format_", FORMATS)
def test_a_season_that_nobody_joined_has_a_page_too(format_: str, closed: bool):
    diary = Diary(format_, players=0)
    if closed:
        diary.note(SeasonClosed("ab" * 32))
    _, reader = page(diary, {})
    assert {"Nobody is in the table.", "No match has been played."} <= set(reader.words)
