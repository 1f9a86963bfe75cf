"""Drawing for panels: away from the event loop, in words where it fails, and with the clock of the turn."""

import threading
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from bot.pictures import Pictures
from bot.table.hands import Holder
from data.preferences import Pace, PersonSettings
from league.shown import ShownStandings, shown
from render.picture import Picture
from render.sample_records import PEOPLE, boards, profiles, tables
from render.samples import hand_views, lessons
from render.style import DEFAULT
from tests.bot.test_panels import bot, open_table  # noqa: F401 - bot is a fixture

EXAMPLES, KNOWN = lessons()["sets"]


async def test_pictures_are_drawn_in_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[int] = []

    def draw(*_: object) -> Picture:
        threads.append(threading.get_ident())
        return Picture(b"", "alt", 1, 1)

    monkeypatch.setattr("bot.pictures.draw_lesson", draw)
    assert (await Pictures().lesson(EXAMPLES, KNOWN)) == Picture(b"", "alt", 1, 1)
    assert len(threads) == 1
    assert threads[0] != threading.get_ident()


async def test_what_cannot_be_drawn_is_said_in_words_and_logged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> Picture:
        raise RuntimeError("no font, no memory")

    monkeypatch.setattr("bot.pictures.draw_lesson", broken)
    monkeypatch.setattr("bot.pictures.draw_hand", broken)
    pictures = Pictures()
    with capture_logs() as lines:
        assert await pictures.lesson(EXAMPLES, KNOWN) is None
        assert await pictures.lesson(EXAMPLES, KNOWN) is None
        for _ in range(2):
            hand = await pictures.hand(hand_views()["drawn"], Holder())
            assert hand.picture is None
            assert hand.actions
            assert len(hand.layout.cards) == 22
    assert [(line["event"], line["kind"]) for line in lines] == [
        ("picture.failed", "lesson"),
        ("picture.failed", "hand"),
    ]


def shown_table(name: str) -> ShownStandings:
    table, title = tables()[name]
    names = dict(enumerate(PEOPLE, 1))
    return shown(table, names, title, rounds=6, final=False, at=0, left=frozenset())


async def test_boards_and_profiles_fall_back_to_words_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Picture:
        raise MemoryError

    pictures = Pictures()
    board, _, viewer = boards()["rating"]
    table = shown_table("pods")

    async def drawn() -> list[Picture | None]:
        return [
            await pictures.leaderboard(board, 0, 10, viewer, DEFAULT),
            await pictures.standings(table, 0, 10, viewer, DEFAULT),
            await pictures.profile(profiles()["full"], DEFAULT),
        ]

    assert None not in await drawn()
    for name in ("leaderboard", "standings", "profile"):
        monkeypatch.setattr(f"bot.pictures.draw_{name}", broken)
    with capture_logs() as lines:
        assert [*await drawn(), *await drawn()] == [None] * 6
    assert [line["kind"] for line in lines] == ["leaderboard", "standings", "profile"]


async def test_of_nothing_there_is_no_picture() -> None:
    pictures = Pictures()
    assert await pictures.leaderboard(boards()["none"][0], 0, 10, None, DEFAULT) is None
    assert await pictures.standings(shown_table("none"), 0, 10, None, DEFAULT) is None
    assert await pictures.profile(profiles()["none"], DEFAULT) is None


async def test_the_same_view_is_drawn_once() -> None:
    pictures = Pictures()
    first = await pictures.hand(hand_views()["drawn"], Holder())
    other = await pictures.hand(hand_views()["drawn"], Holder())
    assert first.picture is other.picture


async def test_the_table_shows_the_clock_where_there_is_one(bot) -> None:  # noqa: F811
    table_id = await open_table(bot, 3)
    await bot.services.play.start(table_id, 1, 100)
    snapshot = await bot.services.tables.snapshot(table_id)
    public = replace(snapshot.public, phase=hand_views()["dealt"].phase)
    snapshot = replace(snapshot, public=public, moves_until=1_000_000, is_slow=False)

    async def drawn(pace: Pace, *, slow: bool) -> Picture:
        options = snapshot.table.options.model_copy(update={"pace": pace})
        table = replace(snapshot.table, options=options)
        picture = await bot.services.pictures.table(replace(snapshot, table=table, is_slow=slow))
        assert picture is not None
        return picture

    assert (await drawn(Pace.NORMAL, slow=False)) != (await drawn(Pace.NORMAL, slow=True))
    assert (await drawn(Pace.NONE, slow=False)) == (await drawn(Pace.NONE, slow=True))


async def test_a_hand_looks_as_its_holder_likes_it() -> None:
    pictures = Pictures()
    likings = [
        PersonSettings(suits=suits, theme=theme) for suits in ("four", "two") for theme in ("light", "dark")
    ]
    hands = [await pictures.hand(hand_views()["drawn"], Holder(liking)) for liking in likings]
    assert len({hand.picture.png for hand in hands if hand.picture is not None}) == 4
    assert len({hand.picture.alt for hand in hands if hand.picture is not None}) == 1
