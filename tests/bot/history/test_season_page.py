"""The season as one page: everything is escaped, nothing is loaded, and there is no script."""

import re
from html.parser import HTMLParser

import pytest
from icalendar import Calendar
from jinja2 import UndefinedError

from bot.history.exports import season_files
from bot.history.season_page import ENVIRONMENT, TEMPLATES
from bot.history.season_pages import calendar_file
from bot.words.texts import texts
from league.events import Adjudicated, DealVoided, DivisionSet, PenaltyAdded, SeasonClosed
from league.finals import draw_stage, seeds, stage_tables
from league.formats import FORMATS
from league.standings import standings
from league.statistics.stats import Seen
from league.times import utc
from render.words import decimal
from tests.bot.panels.worlds import season as view_of
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
        self.places: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {"class", "lang", "charset", "name", "content", "http-equiv", "id", "href"}
        assert all(name in known for name, _ in attrs)
        self.places += [value or "" for name, value in attrs if name == "id"]
        self.links += [value or "" for name, value in attrs if name == "href"]
        self.seen.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def page(diary: Diary, names: dict[int, str]) -> tuple[str, Reader]:
    html = season_files(diary.season, names, {1: Seen(40, 20)}, NOW, texts())["season.html"].decode()
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
    assert "50 %" in words
    assert ("Division 2" in words) is divisions
    assert "Round 2" in words
    assert "ab" * 32 in words
    assert "2026-11-18 11:06 UTC" in words


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
    [final] = draw_stage(diary.season, seeds(diary.season), due=NOW)
    diary.note(final)
    assert "Standings after round 1" in page(diary, {})[1].words
    events = Calendar.from_ical(calendar_file(view_of(diary), texts())).walk("VEVENT")
    assert [event.start for event in events if "the last 4" in event["summary"]] == [utc(NOW)]
    diary.play(final.pods[0].id)
    [rows] = stage_tables(diary.season, 4)
    _, reader = page(diary, {})
    said = [word for word in reader.words if word.strip()]
    assert "The final ranking" in said
    at = said.index("The last 4: how they stand")
    told = said[at + 1 : at + 13]
    assert told[::3] == [f"Player {row.player}" for row in rows]
    assert told[2::3] == [decimal(row.points / 100, sign=True) for row in rows]
    assert all("carried" in word for word in told[1::3])


def test_who_was_there_too_seldom_is_told_so():
    diary = Diary(players=8, rounds=2, least_matches=100)
    diary.round()
    pods = diary.draw()
    for pod in pods:
        diary.note(Adjudicated(pod, dict.fromkeys(diary.season.pods[pod].players, "no_show")))
    _, reader = page(diary, {})
    assert sum("in too few rounds" in word for word in reader.words) == 8


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


def test_before_the_first_draw_the_page_says_who_has_signed_up():
    diary = Diary(players=4)
    words = " ".join(page(diary, {1: "Asha"})[1].words)
    assert "Signed up: 4" in words
    assert "Asha, Player 2, Player 3, Player 4" in words
    diary.round()
    assert "Signed up" not in " ".join(page(diary, {1: "Asha"})[1].words)


def test_every_deal_of_a_match_is_on_the_page_and_void_ones_are_struck_out():
    diary = Diary(players=4)
    [pod] = diary.draw()
    assert "<details>" not in page(diary, {})[0]
    result = diary.play(pod)
    diary.note(DealVoided(pod, 1))
    html, reader = page(diary, {})
    cells = [int(word) for word in reader.words if re.fullmatch(r"-?\d+", word)]
    for deal in result.deals:
        assert any(cells[place : place + 4] == list(deal) for place in range(len(cells)))
    assert html.count('<tr class="void">') == 1


def test_every_figure_of_a_table_can_be_traced_to_its_deals():
    diary = Diary(players=12, rounds=2)
    diary.round(absent=(5,))
    diary.round()
    diary.note(PenaltyAdded(1, 3, 2, points=-100, conduct=1))
    diary.note(SeasonClosed("ab" * 32))
    html, reader = page(diary, {})
    assert f"The winner: Player {standings(diary.season).rows[0].player}" in html
    absent = html[html.index("<h3>Absent</h3>") :]
    assert "Player 5" in absent[: absent.index("</table>")]
    for link in reader.links:
        assert link.startswith("#pod-")
        assert link.removeprefix("#") in reader.places
    for row in standings(diary.season).rows:
        part = html[html.index(f'id="player-{row.player}"') :]
        part = part[: part.index("</details>")]
        told = [
            round(100 * float(points.replace("−", "-")))
            for points in re.findall(r'<td class="points">([^<]*)</td>', part)
        ]
        assert sum(told[:-1]) == told[-1] == row.points


def test_a_match_says_when_it_was_played():
    diary = Diary(players=4)
    [pod] = diary.draw()
    diary.play(pod)
    at = {pod: (NOW, NOW + 3_600_000)}
    html = season_files(diary.season, {}, {}, NOW, texts(), (), at)["season.html"].decode()
    assert "2026-11-18 11:06 – 12:06" in html


def test_a_table_is_after_a_round_only_when_that_is_over():
    diary = Diary(players=8)
    first, second = diary.draw()
    diary.play(first)
    assert "Standings while round 1 is being played" in page(diary, {})[0]
    diary.play(second)
    assert "Standings after round 1" in page(diary, {})[0]


def test_deals_of_boards_that_others_still_play_are_left_out():
    diary = Diary(players=8, duplicate=True)
    first, second = diary.draw()
    diary.play(first)
    pod = diary.season.pods[first]
    html, _ = page(diary, {})
    assert "<details>" not in html
    assert pod.result is not None
    assert season_files(diary.season, {}, {}, NOW, texts())["deals.csv"].count(b"\n") == 1
    diary.play(second)
    html, _ = page(diary, {})
    assert html.count("<details>") == 2
