"""Every message that the bot can send, from the emptiest, the smallest and the largest states.

Each is checked against Discord's limits for a message, as the playground implements them, in every language.
The test fails for a function that makes a panel and is not in `CASES`.
"""

import asyncio
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from itertools import product
from types import ModuleType
from typing import Any

import discord
import pytest

import bot.panels
from bot.daily.days import SharedDay
from bot.daily.deals import DayBoard, MonthBoard
from bot.delivery.turn_mentions import mention_panel
from bot.errors import SeatedElsewhereError, UserError
from bot.history.exports import DealFiles
from bot.history.fair_play import FairPlayQuestion, FairPlaySign, Fed, Questions
from bot.history.replays import ALL, PUBLIC, PlaceInReplay
from bot.interactions.permissions import NEEDED, Obstacle
from bot.league.rulings import PlaceChange, Preview
from bot.learning.lessons import pages
from bot.panels import daily
from bot.panels.history import deal_list, fair_play, leaderboard, replay
from bot.panels.league import desk, direct_messages, lists, pods, posts, reports, rulings, standings
from bot.panels.learning import practice, rules_book
from bot.panels.scorekeeping import score
from bot.panels.server import settings, setup, staff_log
from bot.panels.table import hand, lobby, match, more, presence, table_message
from bot.people import NamedPerson
from bot.servers import SETUP_ACT, Act
from bot.table.core.snapshot import Mode
from bot.table.hosting import Actor
from bot.ui import panel as plain
from bot.ui.items import Press
from bot.ui.panel import Panel
from bot.words.names import Mentions, shown_name
from bot.words.texts import texts
from data.preferences import GuildSettings, PersonSettings, Terms
from data.repositories.people import StaffActRow
from data.season_posts import RulingPost
from league.events import PenaltyAdded
from league.standins import vacancies
from league.statistics.duplicate import Attempt, DayLine, MonthLine
from league.statistics.fairplay import Coincidence, LateBoards, Quick, Transfer
from league.statistics.leaderboard import BoardOrder
from league.statistics.stats import Company
from marriage.analysis.hint import hint_of
from marriage.events import FoulReason
from marriage.rules import PRESETS
from marriage.strategy.advice import Missing
from marriage.strategy.discards import Aim
from render.replay_animation import Animation
from render.samples import boards, profiles
from render.words import speaking
from tests.bot.emojis import cards_as_emojis
from tests.bot.panels.analysis_samples import ANALYSIS_CASES
from tests.bot.panels.puzzle_samples import PUZZLE_CASES
from tests.bot.panels.rule_samples import ODD, invitations, rule_pages, wrong_rules
from tests.bot.panels.season_panels import SEASON_CASES, of_archives, of_season_files, of_wizards
from tests.bot.panels.season_samples import NOTICES, POSTS
from tests.bot.panels.worlds import CHANNEL, NAMES, World, build
from tests.bot.scorekeeping.test_score import fullest
from tests.bot.test_panels import checked
from tests.bot.words.test_texts import LANGUAGES
from tests.cases import cases

Panels = Iterator[Panel | None]
MENTIONS = Mentions()
NOTE = "n" * 150
TODAY = date(2026, 11, 22)
OBSTACLES = [
    None,
    Obstacle("server"),
    Obstacle("channel"),
    Obstacle("permissions", NEEDED),
    Obstacle("unknown"),
]


# Tables and hands


def of_tables(world: World) -> Panels:
    for table in world.tables:
        yield table_message.table_panel(table, None, texts())


def of_hands(world: World) -> Panels:
    for snapshot, mine in world.hands:
        for mode in Mode:
            yield hand.hand_panel(snapshot, mine, texts(), NOTE, mode)
        for why in OBSTACLES if snapshot.is_paused else ():
            yield hand.hand_panel(snapshot, mine, texts(), None, Mode.PLAY, why)


def of_lobbies(world: World) -> Panels:
    for table in world.tables[:2]:
        yield lobby.lobby_panel(table, texts(), challenged=2**62)
        league = table.table.options.model_copy(update={"league": True})
        yield lobby.lobby_panel(replace(table, table=replace(table.table, options=league)), texts())


def of_more(world: World) -> Panels:
    for table in world.tables:
        for person_id, is_staff in ((table.table.host_id, False), (2**62, True), (2**62, False)):
            yield more.more_panel(table, Actor(NamedPerson(person_id, "A"), is_staff), texts(), NOTE)


def of_many_tables(world: World) -> Panels:
    yield lobby.tables_panel([], 0, 1, texts())
    yield lobby.tables_panel(world.tables, 20, 1, texts())
    yield lobby.tables_panel(world.tables, 20, 99, texts())


def of_standing_tables(world: World) -> Panels:
    for begun in world.begun:
        for why in OBSTACLES:
            yield presence.standing_panel(begun, why, texts())


def of_fouls(world: World) -> Panels:
    for begun in world.begun:
        yield more.fouls_panel(begun, texts(), NOTE)


def of_foul_reasons(world: World) -> Panels:
    for begun in world.begun:
        for seat in begun.seats:
            yield more.why_panel(begun, seat.seat, texts())


def of_ruled_fouls(world: World) -> Panels:
    for begun in world.begun:
        for why in FoulReason:
            yield more.confirm_panel(begun, 0, why, texts())


# The record


def of_past_deals(world: World) -> Panels:
    assert world.past is not None
    yield deal_list.past_deal_panel(world.past, None, texts())


def of_replays(world: World) -> Panels:
    assert world.replay is not None
    steps = len(world.replay.steps)
    for eyes in (0, ALL, PUBLIC):
        for step in (0, steps // 2, steps - 1):
            scene = world.replay.scene(PlaceInReplay(world.replay.table.id, world.replay.deal_no, step, eyes))
            missing = Missing(7, Aim.FINISH) if len(scene.hands) == 1 else None
            yield replay.replay_panel(scene, [], missing, texts())


def of_animations(world: World) -> Panels:
    assert world.replay is not None
    moving = Animation(b"GIF89a", "a" * 1_000, 10, 10)
    yield replay.animated_panel(world.replay, ALL, moving, texts())
    yield replay.animated_panel(world.replay, 0, moving, texts(), shared_by=NAMES[0])


def of_records(world: World) -> Panels:
    assert world.checked is not None
    yield deal_list.record_panel(world.checked, texts())
    record = replace(world.checked.record, items=("0:auto:-",))
    yield deal_list.record_panel(replace(world.checked, record=record), texts())
    yield deal_list.record_panel(replace(world.checked, fault="f" * 100, dealt=False), texts())


def of_boards(world: World) -> Panels:
    for board in boards().values():
        full = board[0]
        for number in (0, 10**9):
            yield leaderboard.board_panel(full, number, 1, texts())
            yield leaderboard.board_panel(replace(full, rows=()), number, None, texts())
            named = tuple(replace(row, name=NAMES[place % 5]) for place, row in enumerate(full.rows))
            yield leaderboard.board_panel(replace(full, rows=named), number, None, texts())


def of_weeks(world: World) -> Panels:
    for board in boards().values():
        full = board[0]
        named = tuple(replace(row, name=NAMES[place % 5]) for place, row in enumerate(full.rows))
        for rows in (named, ()):
            for company in Company:
                yield leaderboard.week_panel(
                    replace(full, rows=rows, order=BoardOrder.POINTS, company=company), texts()
                )


def of_profiles(world: World) -> Panels:
    for shown in profiles().values():
        yield leaderboard.profile_panel(replace(shown, name=NAMES[0]), texts(), listed=False)


def of_questions(world: World) -> Panels:
    question = FairPlayQuestion(Transfer(1, 2, 72, 4.12), NAMES[0], NAMES[2], 0.8, Fed(0.34, 0.12, 2.1))
    yield fair_play.questions_panel(Questions((), 0, 0, 0.0), texts())
    late = FairPlaySign((LateBoards(1, 40, 56, 0.8, 4.2),) * 40, 40, 0.01)
    quick = FairPlaySign((Quick(1, 2, 12, 20, 0.3, 4.2),) * 40, 780, 0.18)
    pairs = (Coincidence((1, 2), 0, 20.5, -4.2), Coincidence((1, 2), 90, 20.5, 9.2)) * 20
    signs = (late, FairPlaySign(pairs, 780, 0.18), quick, dict(enumerate(NAMES)))
    yield fair_play.questions_panel(Questions((question,) * 40, 500, 780, 0.181, *signs), texts())


def of_shared_days(_: World) -> Panels:
    yield daily.share_panel(SharedDay(TODAY, NAMES[0], -99, False, ("⬜" * 10,) * 9, 400), texts())


def of_day_reminders(_: World) -> Panels:
    for days, name in ((0, "A"), (400, NAMES[0])):
        yield daily.reminder_panel(name, "https://discord.com/channels/" + "9" * 19, days, texts())


def of_days(world: World) -> Panels:
    yield daily.day_panel(DayBoard(TODAY, (), 0, {}, None), texts())
    lines = tuple(
        DayLine(number, Attempt(TODAY, number, NAMES[number % 5], -99, True, 1), 0.5)
        for number in range(1, 201)
    )
    streaks = dict.fromkeys(range(1, 201), 99)
    yield daily.day_panel(DayBoard(TODAY, lines, 9, streaks, 2**40), texts())


def of_months(world: World) -> Panels:
    yield daily.month_panel(MonthBoard(TODAY, ()), texts())
    lines = tuple(MonthLine(number, number, NAMES[number % 5], 30, 0.5, -9.9) for number in range(1, 201))
    yield daily.month_panel(MonthBoard(TODAY, lines), texts())


def of_acts(world: World) -> Panels:
    yield staff_log.log_panel([], 0, texts())
    row = StaffActRow(1, 900, 2**40, 1, "end", "r" * 200, 1)
    yield staff_log.log_panel([Act(row, NAMES[0])] * 50, 0, texts())
    for act, targets in (("kick", NAMES[:1]), ("invite", (*NAMES, *NAMES))):
        done = Act(replace(row, act=act, reason=""), NAMES[0], tuple(targets))
        yield staff_log.log_panel([done] * 50, 0, texts())
    yield staff_log.log_panel(
        [Act(replace(row, act=SETUP_ACT, reason="timezone UTC"), NAMES[2])] * 50, 10**9, texts()
    )


# Home games, learning, settings


def of_scores(world: World) -> Panels:
    for names in (("a", "b"), NAMES):
        for closed in (False, True):
            full = fullest(
                tuple(name[:24] + str(seat) for seat, name in enumerate((*NAMES, "z"))), closed=closed
            )
            yield score.score_panel(full, None, texts(), NOTE)
            empty = replace(full, entries=(), session=replace(full.session, names=names))
            yield score.score_panel(empty, None, texts())


LINK = f"https://discord.com/channels/{2**63}"


def of_scored_deals(world: World) -> Panels:
    full = fullest(tuple(name[:24] + str(seat) for seat, name in enumerate((*NAMES, "z"))))
    yield score.deal_panel(full, 1, None, texts(), may_correct=True)
    yield score.deal_panel(full, 100, None, texts(), may_correct=True)


def of_lessons(world: World) -> Panels:
    names = (shown_name(NAMES[0]), NAMES[1])
    for lesson, mine in world.lessons:
        yield practice.practice_panel(lesson, mine, hint_of(lesson.view), names, texts(), NOTE)


def of_ended_lessons(world: World) -> Panels:
    assert world.ended_lesson is not None
    names = (shown_name(NAMES[0]), NAMES[1])
    yield practice.lesson_end(world.ended_lesson, None, names, MENTIONS, texts())


def of_rules_pages(world: World) -> Panels:
    for name, rules in PRESETS.items():
        whole = pages(rules, texts())
        for number in range(len(whole)):
            yield rules_book.page_panel(whole, number, name, Press("rules", 0, 0, name), None, texts())


def of_servers(world: World) -> Panels:
    full = GuildSettings(channel_id=2**62, staff_role_id=2**62, rules=PRESETS["kathmandu"], threads=True)
    odd = full.model_copy(update={"rules": ODD, "deals": 50})
    yield from (
        setup.setup_panel(s, texts(), at) for s, at in product((GuildSettings(), full, odd), setup.SUBJECTS)
    )
    posting = full.model_copy(
        update={"weekly_channel_id": 2**62, "timezone": "America/Argentina/ComodRivadavia"}
    )
    yield setup.setup_panel(posting, texts(), "boards", NEEDED, is_gone=True)


def of_daily_settings(world: World) -> Panels:
    for kept in (GuildSettings(), GuildSettings(daily_channel_id=2**62, timezone="Asia/Kathmandu")):
        yield setup.daily_panel(kept, 1, texts())


def of_permissions(world: World) -> Panels:
    for threads in (False, True):
        for granted in (None, discord.Permissions.none(), discord.Permissions.all()):
            yield setup.check_panel([("<#1>", granted), ("<#2>", granted)], texts(), threads=threads)


# Seasons


def of_seasons(make: Callable[..., Panel | None], *more: Any) -> Callable[[World], Panels]:
    """Return a function that makes the panel of each season."""
    return lambda world: (make(view, *more, texts()) for view in world.seasons)


def of_posts(world: World) -> Panels:
    for view in world.seasons:
        for post in POSTS:
            yield posts.post_panel(view, post, texts())
        for act in view.acts[-2:]:
            yield posts.post_panel(view, RulingPost(act.id), texts())


def of_lists(world: World) -> Panels:
    for view in world.seasons:
        for what in ("pods-1", "people-0", "people-1", "boards-1", "log", "numbers"):
            for page in (None, 0, 3, 10**9):
                yield lists.list_panel(view, what, page, 7, texts())


def of_standings(world: World) -> Panels:
    for view in world.seasons:
        for division in {view.divisions[0], view.divisions[-1]}:
            yield standings.standings_panel(view, 10**9, division, 7, texts())


def of_next(world: World) -> Panels:
    for view in world.seasons:
        for player in (0, 1, 2, 7):
            yield direct_messages.next_panel(view, player, texts(), reminder=True)


def of_reminders(world: World) -> Panels:
    for view in world.seasons:
        for told in NOTICES:
            yield direct_messages.reminder_panel(view, told, texts()) if view.season.members else None


def of_checks(world: World) -> Panels:
    for view in world.seasons:
        for granted in (None, discord.Permissions.none(), discord.Permissions.all()):
            yield desk.check_panel(view, granted, texts(), plans=False)
            yield desk.check_panel(view, granted, texts(), plans=True, silent_role=2**62, forum="tags")


def of_previews(world: World) -> Panels:
    large = world.seasons[-1]
    act = replace(large.acts[-1], id=0, body=PenaltyAdded(9, 1, 1, -500, 1), reason="r" * 200)
    changes = tuple(
        PlaceChange(row.row.player, row.row, row.row)
        for division in large.divisions
        for row in large.standings(division).rows
    )
    yield rulings.preview_panel(large, Preview(2**40, act, ()), texts())
    yield rulings.preview_panel(large, Preview(2**40, act, changes), texts())


def of_seats(world: World) -> Panels:
    for view in world.seasons:
        for pod in list(view.season.pods.values())[:2]:
            yield pods.seat_panel(view, pod.id, pod.players[0], texts())
            for seat in vacancies(view.season, pod):
                yield pods.seat_panel(view, pod.id, seat.player, texts())


def of_reports(world: World) -> Panels:
    for view in world.seasons:
        for pod in list(view.season.pods.values())[:2]:
            yield reports.report_panel(view, pod, texts())


CASES: dict[str, Callable[[World], Panels]] = (
    {
        "history.leaderboard.board_panel": of_boards,
        "history.leaderboard.week_panel": of_weeks,
        "learning.rules_book.help_panel": lambda _: (
            rules_book.help_panel(topic, MENTIONS, texts()) for topic in (None, *rules_book.TOPICS)
        ),
        "learning.rules_book.page_panel": of_rules_pages,
        "daily.day_panel": of_days,
        "daily.month_panel": of_months,
        "daily.share_panel": of_shared_days,
        "daily.reminder_panel": of_day_reminders,
        "history.deal_list.deals_panel": lambda _: iter([deal_list.deals_panel(DealFiles(0, {}), texts())]),
        "history.deal_list.season_panel": of_season_files,
        "table.more.confirm_panel": of_ruled_fouls,
        "table.more.fouls_panel": of_fouls,
        "table.more.why_panel": of_foul_reasons,
        "table.hand.hand_panel": of_hands,
        "history.deal_list.history_panel": lambda world: (
            deal_list.history_panel(page, texts()) for page in world.pages
        ),
        "history.deal_list.past_deal_panel": of_past_deals,
        "league.rulings.preview_panel": of_previews,
        "league.lists.archive_panel": of_archives,
        "league.desk.check_panel": of_checks,
        "league.direct_messages.next_panel": of_next,
        "league.direct_messages.reminder_panel": of_reminders,
        "league.lists.list_panel": of_lists,
        "league.lists.number_panel": of_seasons(lists.number_panel, "bonus"),
        "league.posts.after_round_panel": of_seasons(posts.after_round_panel, 1),
        "league.posts.check_in_panel": of_seasons(posts.check_in_panel, 1),
        "league.posts.closed_panel": of_seasons(posts.closed_panel),
        "league.posts.post_panel": of_posts,
        "league.posts.round_panel": of_seasons(posts.round_panel, 1),
        "league.posts.signup_panel": of_seasons(posts.signup_panel),
        "league.reports.report_panel": of_reports,
        "league.pods.seat_panel": of_seats,
        "league.standings.standings_panel": of_standings,
        "league.wizard.wizard_panel": of_wizards,
        "table.lobby.lobby_panel": of_lobbies,
        "table.more.more_panel": of_more,
        "table.more.closed_panel": lambda w: (
            more.closed_panel(table, was, texts()) for table in w.tables for was in ("lobby", "between", None)
        ),
        "table.lobby.manage_panel": lambda w: (lobby.manage_panel(t, texts(), NOTE) for t in w.tables),
        "table.lobby.invitation_panel": lambda world: invitations(world.tables),
        "table.hand.pile_panel": lambda w: (hand.pile_panel(b, b.private[0], 0, texts()) for b in w.begun),
        "table.hand.panel_instead": lambda w: (
            hand.panel_instead(b, b.private[0], mode, 0, texts()) for b in w.begun for mode in Mode
        ),
        "table.match.ledger_panel": lambda world: (
            match.ledger_panel(begun, texts()) for begun in world.begun
        ),
        "panel.notice_panel": lambda _: iter([plain.notice_panel("said")]),
        "turn_mentions.mention_panel": lambda world: (mention_panel(table, 2**62) for table in world.tables),
        "table.table_message.old_panel": lambda w: (
            table_message.old_panel(table.table, message, texts())
            for table in w.tables
            for message in (1, CHANNEL)
        ),
        "learning.practice.lesson_end": of_ended_lessons,
        "learning.practice.practice_panel": of_lessons,
        "table.presence.standing_panel": of_standing_tables,
        "table.presence.ways_out": lambda world: (presence.ways_out(begun, texts()) for begun in world.begun),
        "server.settings.export_panel": lambda _: (
            settings.export_panel(files, 1, texts())
            for files in ({}, {"tiplu.json": b"{}"}, {"tiplu.zip": b"PK"})
        ),
        "server.settings.forget_panel": lambda _: iter([settings.forget_panel(texts())]),
        "server.settings.privacy_panel": lambda _: iter([settings.privacy_panel(texts())]),
        "history.leaderboard.profile_panel": of_profiles,
        "history.fair_play.questions_panel": of_questions,
        "history.deal_list.record_panel": of_records,
        "history.replay.animated_panel": of_animations,
        "history.replay.replay_panel": of_replays,
        "scorekeeping.score.deal_panel": of_scored_deals,
        "panel.refusal_panel": lambda _: (
            plain.refusal_panel(sorry, texts())
            for sorry in (UserError("sorry.no_score"), SeatedElsewhereError(2**31, f"{LINK}/{2**63}", 2**63))
        ),
        "scorekeeping.score.score_panel": of_scores,
        "server.settings.settings_panel": lambda _: (
            settings.settings_panel(PersonSettings(house_rules=kept), texts(), at)
            for kept, at in product((None, Terms(rules=ODD)), settings.SUBJECTS)
        ),
        "server.setup.check_panel": of_permissions,
        "server.setup.daily_panel": of_daily_settings,
        "server.setup.setup_panel": of_servers,
        "server.setup.greeting_panel": lambda _: iter([setup.greeting_panel(MENTIONS, texts())]),
        "table.table_message.table_panel": of_tables,
        "table.more.fairness_panel": lambda w: (
            more.fairness_panel(table, MENTIONS, texts()) for table in w.tables
        ),
        "table.lobby.tables_panel": of_many_tables,
        "server.staff_log.log_panel": of_acts,
        "table.rules.wrong_rules_panel": lambda _: wrong_rules(),
        "table.rules.rules_panel": lambda world: rule_pages(world.tables[0], NOTE),
    }
    | PUZZLE_CASES
    | ANALYSIS_CASES
    | SEASON_CASES
)
"""Every function that makes a panel, with the panels to look at."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Return the world that all tests share; it holds no bot and no file."""
    return asyncio.run(build(tmp_path_factory.mktemp("world") / "tiplu.sqlite3"))


def makers() -> set[str]:
    """Return every public function of the bot that returns a panel, by module and name."""
    modules = [
        importlib.import_module(package.name)
        for package in pkgutil.walk_packages(bot.panels.__path__, "bot.panels.")
    ]
    found = {name for module in (*modules, plain) for name in _makers_of(module)}
    return (found | {"turn_mentions.mention_panel"}) - {"panel.panel"}


def _makers_of(module: ModuleType) -> Iterator[str]:
    short = module.__name__.removeprefix("bot.panels.").removeprefix("bot.ui.")
    for name, function in inspect.getmembers(module, inspect.isfunction):
        if function.__module__ != module.__name__ or name.startswith("_"):
            continue
        if inspect.signature(function).return_annotation in (Panel, Panel | None):
            yield f"{short}.{name}"


def test_every_panel_is_looked_at():
    assert set(CASES) == makers()


@pytest.mark.parametrize("language", cases(LANGUAGES, {"en", "ne"}))  # Hindi is as long as Nepali
@pytest.mark.parametrize("maker", CASES)
def test_discord_takes_every_panel(world: World, maker: str, language: str):
    with speaking(language), cards_as_emojis(language == "ne"):  # Nepali letters take the most room
        made = [panel for panel in CASES[maker](world) if panel is not None]
        assert made
        assert not any(panel.is_cut or not checked(panel) for panel in made)


@pytest.mark.parametrize("maker", CASES)
def test_no_name_in_a_text_has_an_effect_as_markdown(world: World, maker: str):
    parts = [
        part for panel in CASES[maker](world) if panel is not None for part in panel.view.walk_children()
    ]
    said = [part.content for part in parts if isinstance(part, discord.ui.TextDisplay)]
    assert not [words for words in said if "*****" in words or "_x_ `y`" in words]
