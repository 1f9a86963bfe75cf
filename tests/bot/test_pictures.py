"""Drawing for panels: off the event loop, replaced by words if it fails, and with the turn clock."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from bot.pictures import AHEAD_REST_S, MOST_BYTES, Pictures
from bot.table.core.snapshot import Holder
from bot.workpool.pool import SupersededError, WorkPool
from data.preferences import Pace, PersonSettings
from league.standings import ShownStandings, shown
from marriage.analysis.hint import hint_of
from render.picture import Picture
from render.replay_animation import Frame, draw_replay
from render.samples import NAMES, PEOPLE, boards, hand_views, lessons, profiles, table_views, tables
from render.style import DEFAULT
from tests.bot.test_panels import open_table
from tests.waiting import until

EXAMPLES, KNOWN = lessons()["sets"]
RAM, SITA = 11, 12


@pytest.fixture
async def pictures() -> AsyncIterator[Pictures]:
    workpool = WorkPool(most=1)
    yield Pictures(workpool)
    await workpool.close()


@pytest.mark.threads
async def test_pictures_are_drawn_in_another_thread(
    pictures: Pictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []

    def draw(*_: object) -> Picture:
        threads.append(threading.get_ident())
        return Picture(b"", "alt", 1, 1)

    monkeypatch.setattr("bot.pictures.draw_lesson", draw)
    assert (await pictures.lesson(EXAMPLES, KNOWN)) == Picture(b"", "alt", 1, 1)
    assert len(threads) == 1
    assert threads[0] != threading.get_ident()


async def test_sprites_are_drawn_ahead_while_nobody_waits_for_a_picture(
    pictures: Pictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[int] = []
    free = asyncio.Event()

    def three() -> Iterator[bool]:
        for number in range(3):
            steps.append(number)
            yield True

    async def slow(*_: object) -> Picture:
        await free.wait()
        return Picture(b"", "alt", 1, 1)

    monkeypatch.setattr("bot.pictures.draw_ahead", three)
    monkeypatch.setattr(WorkPool, "draw", slow)
    lesson = asyncio.create_task(pictures.lesson(EXAMPLES, KNOWN))
    ahead = asyncio.create_task(pictures.draw_ahead())
    await asyncio.sleep(10 * AHEAD_REST_S)
    assert steps == [0]
    free.set()
    await lesson
    await until(lambda: steps == [0, 1, 2])
    assert not ahead.done()
    ahead.cancel()


async def test_sprites_that_cannot_be_drawn_ahead_end_no_worker(
    pictures: Pictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> Iterator[bool]:
        yield True
        raise RuntimeError("no font")

    monkeypatch.setattr("bot.pictures.draw_ahead", broken)
    with capture_logs() as lines:
        ahead = asyncio.create_task(pictures.draw_ahead())
        await until(lambda: bool(lines))
    assert [(line["event"], line["kind"]) for line in lines] == [("picture.failed", "sprites")]
    assert not ahead.done()
    ahead.cancel()


async def test_what_cannot_be_drawn_is_said_in_words_and_logged_once(
    pictures: Pictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> Picture:
        raise RuntimeError("no font, no memory")

    monkeypatch.setattr("bot.pictures.draw_lesson", broken)
    monkeypatch.setattr("bot.workpool.hand_facts.draw_hand", broken)
    with capture_logs() as lines:
        assert await pictures.lesson(EXAMPLES, KNOWN) is None
        assert await pictures.lesson(EXAMPLES, KNOWN) is None
        for _ in range(2):
            hand = await pictures.hand(hand_views()["drawn"], Holder())
            assert hand.pictures == ()
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


async def test_boards_and_profiles_fall_back_to_words_as_well(
    pictures: Pictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> Picture:
        raise MemoryError

    board, _, viewer = boards()["rating"]
    table = shown_table("pods")

    async def drawn() -> list[Picture | None]:
        return [
            await pictures.leaderboard(RAM, board, 0, 10, viewer, DEFAULT),
            await pictures.standings(RAM, table, 0, 10, viewer, DEFAULT),
            await pictures.profile(RAM, profiles()["full"], DEFAULT),
        ]

    assert None not in await drawn()
    for name in ("leaderboard", "standings", "profile"):
        monkeypatch.setattr(f"bot.pictures.draw_{name}", broken)
    with capture_logs() as lines:
        assert [*await drawn(), *await drawn()] == [None] * 6
    assert [line["kind"] for line in lines] == ["leaderboard", "standings", "profile"]


async def test_of_nothing_there_is_no_picture(pictures: Pictures) -> None:
    assert await pictures.leaderboard(RAM, boards()["none"][0], 0, 10, None, DEFAULT) is None
    assert await pictures.standings(RAM, shown_table("none"), 0, 10, None, DEFAULT) is None
    assert await pictures.profile(RAM, profiles()["none"], DEFAULT) is None


async def test_the_same_view_is_drawn_once(pictures: Pictures) -> None:
    first = await pictures.hand(hand_views()["drawn"], Holder())
    other = await pictures.hand(hand_views()["drawn"], Holder())
    assert first.pictures is other.pictures


async def test_the_same_hint_is_worked_out_once(pictures: Pictures) -> None:
    seen = hand_views()["drawn"]
    hint = await pictures.hint(seen)
    assert hint == hint_of(seen)
    assert await pictures.hint(replace(seen)) is hint


async def test_the_table_shows_the_clock_where_there_is_one(bot) -> None:
    table_id = await open_table(bot, 3)
    await bot.services.play.start(table_id, 1, 100)
    snapshot = await bot.services.tables.snapshot(table_id)
    public = replace(snapshot.public, phase=hand_views()["dealt"].phase)
    snapshot = replace(snapshot, public=public, moves_until=1_000_000)

    async def drawn(pace: Pace, mention_id: int | None = None) -> Picture:
        options = snapshot.table.options.model_copy(update={"pace": pace})
        table = replace(snapshot.table, options=options, mention_id=mention_id)
        picture = await bot.services.pictures.table(replace(snapshot, table=table))
        assert picture is not None
        return picture

    assert (await drawn(Pace.NORMAL)) != (await drawn(Pace.NORMAL, 5))
    assert (await drawn(Pace.NONE)) == (await drawn(Pace.NONE, 5))


async def test_a_hand_looks_as_its_holder_likes_it(pictures: Pictures) -> None:
    likings = [
        PersonSettings(suits=suits, theme=theme) for suits in ("four", "two") for theme in ("light", "dark")
    ]
    hands = [await pictures.hand(hand_views()["drawn"], Holder(liking)) for liking in likings]
    drawn = [picture for hand in hands for picture in hand.pictures]
    assert len({picture.png for picture in drawn}) == 4
    assert len({picture.alt for picture in drawn}) == 1


@pytest.mark.threads
async def test_all_who_need_a_picture_at_once_get_one_drawing(
    pictures: Pictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, may_go_on = [], threading.Event()

    def draw(*args: object) -> Picture:
        drawn.append(args)
        may_go_on.wait(20)
        return Picture(b"png", "alt", 1, 1)

    monkeypatch.setattr("bot.pictures.draw_table", draw)
    view = table_views()["play-3"]
    waiting = [asyncio.create_task(pictures.board(view, NAMES[:3], DEFAULT)) for _ in range(5)]
    await until(lambda: drawn)
    waiting[0].cancel()  # the others still need it
    may_go_on.set()
    first, *others = await asyncio.gather(*waiting, return_exceptions=True)
    assert isinstance(first, asyncio.CancelledError)
    assert all(other is others[0] for other in others)
    assert await pictures.board(view, NAMES[:3], DEFAULT) is others[0]
    assert len(drawn) == 1


async def test_the_cache_is_bounded_in_bytes(pictures: Pictures, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.pictures.draw_table", lambda *_: Picture(bytes(1_000_000), "alt", 1, 1))
    for number in range(40):
        view = replace(table_views()["play-3"], version=number)
        assert await pictures.board(view, NAMES[:3], DEFAULT) is not None
        assert pictures._kept.bytes <= MOST_BYTES
    assert pictures._kept.bytes > MOST_BYTES / 2
    pictures.forget()
    assert pictures._kept.bytes == 0


async def test_a_newer_animation_takes_the_place_of_one_that_was_not_awaited(pictures: Pictures) -> None:
    view = table_views()["play-3"]
    long = tuple(
        Frame(replace(view, version=number), f"Step {number}", notable=False) for number in range(500)
    )

    def animation(person: int, frames: tuple[Frame, ...]):
        return asyncio.create_task(pictures.animation(person, frames, (), NAMES[:3], "A deal.", DEFAULT))

    former = animation(RAM, long)
    await asyncio.sleep(0)
    newer, other = animation(RAM, long[:2]), animation(SITA, long[:3])
    with pytest.raises(SupersededError):
        await former
    assert await newer == draw_replay(long[:2], (), NAMES[:3], "A deal.")
    assert await other == draw_replay(long[:3], (), NAMES[:3], "A deal.")


async def test_an_animation_is_kept(pictures: Pictures, monkeypatch: pytest.MonkeyPatch) -> None:
    frames = (Frame(table_views()["play-3"], "Step 1", notable=False),)
    first = await pictures.animation(RAM, frames, (), NAMES[:3], "A deal.", DEFAULT)
    monkeypatch.setattr(pictures._workpool, "run", None)
    assert await pictures.animation(SITA, (*frames,), (), NAMES[:3], "A deal.", DEFAULT) is first
