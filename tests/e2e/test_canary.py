"""The canary: whole deals with all features on reveal no hidden card, and each deliberate leak is noticed.

This is a small part of `make canary`; the leaks show that the oracle watches every output.
"""

import io
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import discord as library
import pytest
import structlog

from bot.metrics import PICTURES
from bot.panels.table import table_message
from bot.table.core.snapshot import Snapshot
from bot.table.play import Play
from bot.ui.items import Press
from marriage.cards import Card
from playground.person import Person
from playground.server import Playground
from tests.canary import pictures
from tests.canary.listening import Ear
from tests.canary.oracle import Oracle
from tests.canary.reading import cards_in
from tests.canary.session import BOARDS_AT, MATCH_OF, open_league, play, prepare
from tests.e2e.dealt import named
from tests.e2e.looking import published
from tests.e2e.players import DRAW, NEXT, START, next_panel, open_table, play_by_buttons, press_in_dm
from tests.e2e.running import MovableClock, Running, run_here
from tests.e2e.seasons import Circle
from tests.in_process import drawn
from tests.waiting import SLOW_DEADLINE, until

SIGNS = dict(zip("SHDC", "♠♥♦♣", strict=True))


@pytest.mark.shuffled
@pytest.mark.timeout(300)  # half a minute on two cores
async def test_whole_deals_tell_nobody_a_card_that_they_may_not_know(tmp_path: Path):
    outcome = await play(7, 0, 1, tmp_path)
    assert outcome.leaks == []
    assert outcome.stuck == []
    assert outcome.deals >= 4, "one at the table, three of the league's match"
    assert outcome.cards > 1_000
    assert set(outcome.pieces) >= {"request", "picture", "log", "metric", "file mode", "page"}


@pytest.fixture(autouse=True)
def _drawn_anew() -> None:
    """Clear the drawings of other tests, which lack the marks of this test's leak."""
    drawn.cache_clear()


@dataclass
class Scene:
    """Asha is to draw at a table with Bikram, who has a card that no one else knows."""

    running: Running
    ear: Ear
    patch: pytest.MonkeyPatch
    asha: Person
    card: str
    seed: str

    @property
    def sign(self) -> str:
        """The card as people read it."""
        return self.card[:-1] + SIGNS[self.card[-1]]

    @property
    def channel(self) -> Any:
        """The channel of the table."""
        return self.running.bot.get_channel(self.asha.channel.id)

    async def move(self) -> None:
        """Draw, so that everything is shown again."""
        await press_in_dm(self.asha, DRAW)
        await published(self.running)


@pytest.fixture
async def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scene]:
    """A scene heard from before the deal, without leaks."""
    prepare(monkeypatch, "controls")
    path = tmp_path / "tiplu.sqlite3"
    async with Playground(deadline=SLOW_DEADLINE) as discord:
        running = await run_here(discord, path)
        ear = Ear(discord, path)
        bikram, asha = discord.person("bikram"), discord.person("asha")
        table = await open_table(bikram, asha)
        await bikram.press(START, message=table)
        await until(lambda: ear.oracle.newest(1) is not None)
        await published(running)
        assert ear.leaks == []
        dealt = ear.oracle.newest(1)
        assert dealt is not None
        seat = dealt.people[bikram.id]
        card = min(dealt.seats[seat] - dealt.seats[1 - seat] - dealt.public)
        seed = next(secret for secret in ear.oracle.secrets if re.fullmatch("[0-9a-f]{64}", secret))
        yield Scene(running, ear, monkeypatch, asha, card, seed)
        ear.close()
        await running.stop()


async def in_a_public_panel(scene: Scene) -> None:
    told = table_message._situation
    scene.patch.setattr(table_message, "_situation", lambda *given: f"{told(*given)} {scene.sign}")
    await scene.move()


async def in_an_alt_text(scene: Scene) -> None:
    told = pictures.table_alt
    scene.patch.setattr(pictures, "table_alt", lambda *given: f"{told(*given)} {scene.sign}")
    await scene.move()


async def in_a_custom_id(scene: Scene) -> None:
    written = Press.__str__
    scene.patch.setattr(
        Press,
        "__str__",
        lambda press: f"{written(press)}:{scene.card}" if press.verb == "hand" else written(press),
    )
    await scene.move()


async def in_what_a_picture_is_made_of(scene: Scene) -> None:
    drawn, more = pictures.drawing.draw_table, Card.parse(scene.card)
    scene.patch.setattr(
        "bot.pictures.draw_table",
        lambda view, *given: pictures.marked(replace(view, pile=(*view.pile, more)), drawn(view, *given).alt),
    )
    await scene.move()


async def in_a_log_line(scene: Scene) -> None:
    moved = Play.move

    async def move(*given: Any, **options: Any) -> Any:
        structlog.get_logger("bot.table").info("move", top=scene.card)
        return await moved(*given, **options)

    scene.patch.setattr(Play, "move", move)
    await scene.move()


async def a_name_in_a_log_line(scene: Scene) -> None:
    structlog.get_logger("bot.delivery").info("dms.closed", name=scene.asha.user.shown_name)


async def an_id_in_a_log_line(scene: Scene) -> None:
    structlog.get_logger("bot.delivery").info("dms.closed", person=scene.asha.id)


async def the_seed_of_a_deal_that_is_over_in_a_log_line(_scene: Scene) -> None:
    structlog.get_logger("bot.table").info("deal.over", seed=bytes(32).hex())


async def in_a_traceback(scene: Scene) -> None:
    try:
        raise ValueError(f"cannot place {Card.parse(scene.card)!r}")
    except ValueError:
        structlog.get_logger("bot.table").exception("place.failed")


async def in_a_metric(scene: Scene) -> None:
    PICTURES.labels(scene.card).inc()
    try:
        scene.ear.hear_metrics()
    finally:
        PICTURES.remove(scene.card)


async def in_a_file(scene: Scene) -> None:
    await scene.channel.send(
        file=library.File(io.BytesIO(f"seat,card\n1,{scene.card}".encode()), "deals.csv")
    )


async def in_the_name_of_a_file(scene: Scene) -> None:
    await scene.channel.send(file=library.File(io.BytesIO(b"nothing"), f"{scene.card}.txt"))


async def in_a_picture_that_nobody_judges(scene: Scene) -> None:
    await scene.channel.send(file=library.File(io.BytesIO(b"\x89PNG"), "cards.png"))


async def in_the_name_of_a_thread(scene: Scene) -> None:
    await scene.channel.create_thread(name=f"Who has {scene.sign}?", type=library.ChannelType.public_thread)


async def in_anothers_direct_message(scene: Scene) -> None:
    person = await scene.running.bot.fetch_user(scene.asha.id)
    await person.send(f"Bikram holds {scene.sign}")


async def in_autocomplete(scene: Scene) -> None:
    offered = library.app_commands.Choice(name=scene.sign, value=scene.card)
    # A bot that closes unloads its cogs, so an earlier import would not be the module in use.
    asked = sys.modules["cogs.table.commands"]
    scene.patch.setattr(asked, "_matching", lambda *_: [offered])
    await scene.asha.autocomplete("marriage discard", focused="card")


async def in_a_page(scene: Scene) -> None:
    _write_page(scene, "page.html")


async def in_the_page_of_a_match(scene: Scene) -> None:
    _write_page(scene, "match-1.html")


def _write_page(scene: Scene, name: str) -> None:
    page = Path(scene.running.bot.services.settings.database_path).with_name(name)
    page.write_text(f"<p>{scene.sign}</p>")
    scene.ear.hear_page(page, 1)


async def as_a_seed(scene: Scene) -> None:
    await scene.channel.send(f"The next deal comes of {scene.seed}")


async def as_a_file_for_all_users_of_the_machine(scene: Scene) -> None:
    Path(scene.running.bot.services.settings.database_path).chmod(0o644)
    scene.ear.hear_modes()


@pytest.mark.parametrize(
    ("leak", "channel"),
    [
        (in_a_public_panel, "request"),
        (in_an_alt_text, "request"),
        (in_a_custom_id, "request"),
        (in_what_a_picture_is_made_of, "picture"),
        (in_a_log_line, "log"),
        (a_name_in_a_log_line, "log"),
        (an_id_in_a_log_line, "log"),
        (the_seed_of_a_deal_that_is_over_in_a_log_line, "log"),
        (in_a_traceback, "log"),
        (in_a_metric, "metric"),
        (in_a_file, "file"),
        (in_the_name_of_a_file, "request"),
        (in_a_picture_that_nobody_judges, "picture"),
        (in_the_name_of_a_thread, "request"),
        (in_anothers_direct_message, "request"),
        (in_autocomplete, "request"),
        (in_a_page, "page"),
        (in_the_page_of_a_match, "page"),
        (as_a_seed, "request"),
        (as_a_file_for_all_users_of_the_machine, "file mode"),
    ],
)
async def test_what_is_told_is_noticed(scene: Scene, leak: Callable[[Scene], Awaitable[None]], channel: str):
    await leak(scene)
    await until(lambda: channel in {found.channel for found in scene.ear.leaks}, SLOW_DEADLINE)


@pytest.mark.parametrize("command", ["help", "history", "profile", "leaderboard", "privacy"])
async def test_a_card_in_the_answer_of_a_command_that_shows_none_is_noticed(scene: Scene, command: str):
    written = library.ui.TextDisplay.to_component_dict

    def leaking(display: library.ui.TextDisplay[Any]) -> Any:
        made = written(display)
        return made | {"content": f"{made['content']} {scene.sign}"}

    scene.patch.setattr(library.ui.TextDisplay, "to_component_dict", leaking)
    await scene.asha.slash(command)
    assert scene.ear.leaks


def test_cards_are_found_however_they_are_written():
    assert cards_in("10♠, Spades 2 3 K; Hearts 9 and 7 of Clubs") == {"10S", "2S", "3S", "KS", "9H", "7C"}
    assert cards_in(
        "<5H> `mr1:discard:1:2:QD` <:tiplu_jack_of_clubs_v1:12> \N{PLAYING CARD ACE OF SPADES}"
    ) == {
        "5H",
        "QD",
        "JC",
        "AS",
    }
    assert cards_in("सुरथ 2 3; चिड़ी A। 7: पान ईंट") == {"2S", "3S", "AC", "7H", "7D"}
    assert cards_in("Stock 110, pile 2. Clubs are black, 21 cards; 5Hx aJD 0f5c2d") == set()


def test_the_oracle_tells_each_what_the_rules_let_them_know(tmp_path: Path):
    oracle = Oracle.__new__(Oracle)
    oracle.deals, oracle._newest, oracle._revisions = {}, {}, {}
    for event in (
        {"event": "dealt", "hands": [["2S", "3S"], ["4H", "5H"]], "up_card": "KD", "stock": ["6C", "7C"]},
        {"event": "drew", "seat": 1, "card": "6C"},
        {"event": "discarded", "seat": 1, "card": "4H", "threw": False},
        {"event": "tiplu_cut", "seat": 0, "place": 0, "card": "7C"},
    ):
        oracle._note(1, 1, event, daily=False)
    oracle.deals[1, 1].people = {11: 0, 12: 1}
    now = {1: None}
    assert oracle.known(None, now) == {"KD", "4H"}
    assert oracle.known(12, now) == {"KD", "4H", "5H", "6C"}
    assert oracle.known(11, now) == {"KD", "4H", "2S", "3S", "7C", "6C", "8C", "7S", "7H", "7D"}
    assert oracle.known(13, now) == {"KD", "4H"}
    oracle._note(1, 1, {"event": "settled"}, daily=False)
    assert len(oracle.known(None, now)) == 52
    oracle._revisions = {1: 40}
    oracle._note(1, 2, {"event": "dealt", "hands": [["2D"], ["3D"]], "up_card": "AC"}, daily=False)
    assert oracle.known(None, now) == oracle.known(None, {1: 41}) == {"AC"}
    assert len(oracle.known(None, {1: 40})) == 52, "what was drawn before the deal shows the one before it"


def test_the_oracle_tells_only_its_players_a_board_that_others_have_yet_to_play():
    oracle = Oracle.__new__(Oracle)
    oracle.deals, oracle._newest, oracle._revisions = {}, {}, {}
    hands = [["2S", "3S"], ["4H", "5H"]]
    for table in (1, 2):
        oracle._note(table, 1, {"event": "dealt", "hands": hands, "up_card": "KD"}, daily=False)
        deal = oracle.deals[table, 1]
        deal.withheld, deal.people = True, {table * 10: 0, table * 10 + 1: 1}
    oracle.secrets = {"2S 3S", "4H 5H"}
    oracle.withheld = []
    assert oracle.known(None, {1: None}) == oracle.known(20, {1: None}) == set()
    assert oracle.known(10, {1: None}) == {"KD", "2S", "3S"}
    oracle._note(1, 1, {"event": "settled"}, daily=False)
    oracle.withheld = [oracle.deals[1, 1]]
    assert oracle.known(None, {1: None}) == oracle.known(20, {1: None}) == set()
    assert len(oracle.known(10, {1: None})) == 52
    assert not oracle.secrets & oracle.secrets_from(10)
    oracle._note(2, 1, {"event": "settled"}, daily=False)
    oracle.secrets, oracle.withheld = set(), [oracle.deals[1, 1], oracle.deals[2, 1]]
    assert "2S 3S" in oracle.secrets_from(None)
    assert oracle.secrets_from(10) == oracle.secrets_from(20) == set()


@pytest.mark.timeout(300)
async def test_a_card_of_a_board_that_other_tables_play_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The table shows none, not even the face-up card, which everyone may see in any other league."""
    prepare(monkeypatch, "boards")
    path, clock = tmp_path / "tiplu.sqlite3", MovableClock()
    async with Playground(deadline=SLOW_DEADLINE) as discord:
        running = await run_here(discord, path, clock=clock)
        ear = Ear(discord, path)
        try:
            people = [discord.person(f"p{number}") for number in range(MATCH_OF * BOARDS_AT)]
            circle = Circle(running, clock, people)
            watcher, chance = discord.person("watcher"), Random("boards")
            matches = await open_league(discord, circle, watcher, chance, ear, is_duplicate=True)
            assert len(matches) == BOARDS_AT
            board, company = matches[0]
            await company.sit_down(board)
            await until(lambda: ear.oracle.newest(board.number) is not None)
            await published(running)
            assert ear.leaks == []
            monkeypatch.setattr(Snapshot, "is_withheld", False)
            await running.bot.services.tables.show_anew([board.number])
            await until(lambda: ear.leaks, SLOW_DEADLINE)
        finally:
            ear.close()
            await running.stop()


async def test_the_end_of_a_deal_that_is_shown_late_is_no_leak(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: None
):
    """What Discord takes long to do is read when the next deal is dealt already."""
    prepare(monkeypatch, "late")
    path = tmp_path / "tiplu.sqlite3"
    async with Playground(deadline=SLOW_DEADLINE) as discord:
        running = await run_here(discord, path)
        ear = Ear(discord, path)
        try:
            asha, bikram = discord.person("asha"), discord.person("bikram")
            table = await open_table(asha, bikram)
            await asha.press(START, message=table)
            await play_by_buttons(bikram, 2)
            await next_panel(asha)
            await published(running)
            held = discord.faults.hold(rf"/messages/{table.id}$", method="PATCH")
            await play_by_buttons(asha)
            await held.reached()
            monkeypatch.setattr("bot.table.flow.seating.start", named("another deal"))
            for person in (asha, bikram):
                await press_in_dm(person, NEXT)
            await until(lambda: (1, 2) in ear.oracle.deals)
            held.release()
            discord.faults.clear()
            await published(running)
            assert ear.leaks == []
        finally:
            ear.close()
            await running.stop()
