"""Season messages of every size: Discord accepts each one, and a button leads to what does not fit."""

import re

import pytest

from bot.errors import UserError
from bot.history.exports import season_files
from bot.league.season import SeasonView
from bot.panels.history.deal_list import season_panel
from bot.panels.league.lists import list_panel
from bot.panels.league.posts import post_panel
from bot.panels.league.standings import standings_panel
from bot.ui.panel import Panel
from bot.words.texts import catalogue, texts
from data.preferences import Pace
from data.repositories.people import Names, PersonRow
from data.season_posts import CheckInPost, EndPost, RoundPost, SignupPost, StandingsPost
from data.season_rows import SeasonProjection, SeasonRow
from league.events import DivisionSet, SeasonClosed
from league.formats import FORMATS
from marriage.rules import PRESETS
from playground.validation.messages import Draft
from tests.bot.league.test_duplicate_season import words
from tests.bot.test_panels import checked, custom_ids, parts
from tests.bot.words.test_texts import LANGUAGES
from tests.league.seasons import Diary

PLAYERS, EVERYBODY = 200, range(1, 201)


def seen(diary: Diary, *, players: int = PLAYERS, closed: bool = False) -> SeasonView:
    row = SeasonRow(
        *(1, 2, 3, "Autumn", 1, None, PRESETS["pagat"], Pace.NONE, b"x" * 32, 0, 0, None, 0),
        closed_at=1 if closed else None,
    )
    people = {number: PersonRow(number, Names("W" * 30), 1, 0) for number in range(1, players + 1)}
    return SeasonView(row, SeasonProjection(diary.season), 1, people, tables={}, times={}, posts={})


@pytest.fixture(scope="module", params=[0, 5, 25, 8])
def diary(request: pytest.FixtureRequest) -> Diary:
    """A season of 200 after its first round: without divisions, or with divisions of that many players."""
    size = request.param
    diary = Diary("divisions" if size else "pods", players=PLAYERS)
    if size:
        for player in EVERYBODY:
            diary.note(DivisionSet(player, 1 + (player - 1) // size))
    diary.round(absent=() if size else tuple(range(130, 170)))
    return diary


def taken_whole(panel: Panel) -> Draft:
    """Return the message that Discord builds from a panel, asserting that nothing was cut."""
    assert not panel.is_cut
    return checked(panel)


def test_every_pod_of_a_large_round_can_be_reached(diary: Diary):
    view = seen(diary)
    message = words(post_panel(view, RoundPost(1), texts()))
    shown = set(re.findall(r"Pod (\d+)", message))
    pods = {str(pod.id) for pod in view.pods_of(1)}
    assert set() < shown < pods
    assert f"And {len(pods - shown)} more: press **Show all**" in message
    assert "mr1:league-all:1:0:pods-1" in custom_ids(
        checked(post_panel(view, RoundPost(1), texts())).components
    )
    assert len(view.divisions) > 1 or "and" in message.partition("Not there")[2]
    assert everything(view, "pods-1") >= pods


def everything(view: SeasonView, what: str) -> set[str]:
    """Return the numbers of all pods on all pages of a list, following the button to the last page."""
    found: set[str] = set()
    following = f"mr1:league-list:1:0:{what}"
    while following:
        page = int(following.split(":")[3])
        draft = taken_whole(list_panel(view, what, page, None, texts()))
        found |= set(re.findall(r"Pod (\d+)", words(list_panel(view, what, page, None, texts()))))
        forward = [
            part["custom_id"]
            for part in parts(draft.components)
            if part.get("label") == "Next page" and not part.get("disabled")
        ]
        following = forward[0] if forward else ""
    return found


def test_a_list_opens_at_the_page_with_the_viewer(diary: Diary):
    view = seen(diary)
    last = view.pods_of(1)[-1]
    said = words(list_panel(view, "pods-1", None, last.players[0], texts()))
    assert f"**Pod {last.id}**" in said
    assert f"**Pod {last.id}**" not in words(list_panel(view, "pods-1", None, None, texts()))
    assert "▶ **" in words(list_panel(view, "people-0", None, PLAYERS, texts()))


def test_everybody_of_a_season_and_of_a_round_can_be_read(diary: Diary):
    view = seen(diary)
    for post, what in ((SignupPost(), "people-0"), (CheckInPost(2), "people-2")):
        listed = custom_ids(checked(post_panel(view, post, texts())).components)
        if what == "people-0":
            assert f"mr1:league-all:1:0:{what}" in listed
        taken_whole(list_panel(view, what, 0, None, texts()))


def test_every_division_can_be_chosen():
    diary = Diary("divisions", players=PLAYERS)
    for player in EVERYBODY:
        diary.note(DivisionSet(player, 1 + (player - 1) // 5))
    diary.round()
    draft = taken_whole(standings_panel(seen(diary), 0, 31, None, texts()))
    offered = [
        int(option["value"]) for part in parts(draft.components) for option in part.get("options") or []
    ]
    assert offered == list(range(1, 41))


def test_a_list_that_there_is_not_is_refused():
    view = seen(Diary(players=4), players=4)
    for what in ("", "secrets", "pods", "boards-1", "people-77"):
        if what in {"", "secrets"}:
            with pytest.raises(UserError):
                list_panel(view, what, 0, None, texts())
        else:
            taken_whole(list_panel(view, what, 99_999, None, texts()))


@pytest.mark.parametrize("format_", FORMATS)
def test_a_season_that_nobody_joined_says_so(format_: str):
    diary = Diary(format_, players=0)
    diary.note(SeasonClosed("ab" * 32))
    view = seen(diary, players=0, closed=True)
    expected = "Too few players" if FORMATS[format_].has_draw else "nobody has won"
    assert expected in words(post_panel(view, EndPost(), texts()))
    assert "Nobody is in the table yet." in words(post_panel(view, StandingsPost(1), texts()))
    files = season_files(view.season, {}, {}, 1, texts())
    assert len(checked(season_panel(view.title, files, texts())).attachments) == 7
    for language in LANGUAGES:
        for what in ("pods-1", "people-0", "people-1", "boards-1", "log", "numbers"):
            taken_whole(list_panel(view, what, None, None, catalogue(language)))
