"""Panels of a hand in every setting and mode: valid for Discord, all cards in reach, one order everywhere."""

import random
from dataclasses import replace

import pytest

from bot.panels.server import settings as settings_panels
from bot.panels.server.settings import SUBJECTS, SWITCHES, settings_panel
from bot.panels.table.choosing_cards import COPY
from bot.panels.table.hand import control_rows, hand_panel
from bot.table.core.snapshot import Holder, Mode
from bot.ui.panel import panel
from bot.words.hands import hand_words, hint_words
from bot.words.texts import texts
from data.preferences import PersonSettings, TableOptions
from data.values import OwnArrangement
from marriage.analysis.hint import hint_of
from marriage.cards import Card, parse_cards, sort_cards
from marriage.maal import role
from marriage.rules import preset
from marriage.state import Phase
from marriage.strategy.players import GreedyPlayer
from marriage.view import view
from playground.validation.components import BUTTON, SELECTS
from render.hand_layout import CardOrder, HeapKind, lay_out
from render.samples import hand_views, own_seat
from tests.bot.test_panels import asked, checked, open_table, parts
from tests.bot.windows import move
from tests.e2e.dealt import named
from tests.marriage.dealing import deal, play
from tests.render.test_secrecy import twin

SETTINGS = [
    PersonSettings(),
    PersonSettings(grouping="rank", suits="two"),
    PersonSettings(grouping="best", large=True, hands_by_dm=False),
    PersonSettings(words=True),
    PersonSettings(card_list=True, timezone="Asia/Tokyo"),
    PersonSettings(timezone="America/Argentina/Buenos_Aires"),
    PersonSettings(grouping="best", words=True, hands_by_dm=False),
]
POOR = "2D 4D 6D 8D QD KD 2H 4H 6H 8H 10H QH 2C 4C 6C 8C 10C QC AS 6S 10S"
PURE = {HeapKind.OWN, HeapKind.TUNNELA, HeapKind.SEQUENCE, HeapKind.TRIAL}
PLAYER = GreedyPlayer(count_outs=False)
TEXT = 10
IN_PLAY = set(Mode) - {Mode.GROUP, Mode.SETS}


def selects(draft):
    return [part for part in parts(draft.components) if part["type"] in SELECTS]


def buttons(draft):
    return [part for part in parts(draft.components) if part["type"] == BUTTON]


def verbs(draft):
    return [verb(button) for button in buttons(draft)]


def verb(button):
    return button["custom_id"].split(":")[1]


async def hand_drafts(bot, snapshot, seat, pinned):
    """Return a seat's panel in every setting and mode, as Discord receives it."""
    mine = snapshot.private[seat]
    for settings in SETTINGS:
        holders = list(snapshot.holders)
        holders[seat] = Holder(settings, OwnArrangement(pinned))
        shown = replace(snapshot, holders=tuple(holders), dms_closed=frozenset({seat}))
        for mode in Mode:
            draft = checked(await bot.delivery.publisher.hand_panel(shown, seat, "A note.", mode))
            yield mine, settings, mode, draft


async def test_every_hand_in_every_setting_is_a_message_that_discord_takes(bot, monkeypatch):
    monkeypatch.setattr("bot.table.flow.seating.start", named("every hand"))
    chance = random.Random(7)
    table_id = await open_table(bot, players=3)
    await bot.services.play.start(table_id, 1, 100)
    phases = set()
    for number in range(400):
        snapshot = await bot.services.tables.snapshot(table_id)
        if snapshot.public.phase not in phases or number % 25 == 0:
            for seat in range(3):
                cards = snapshot.private[seat].own.concealed
                pinned = (tuple(chance.sample(cards, 3)), tuple(chance.sample(cards, 2)))
                async for mine, settings, mode, draft in hand_drafts(bot, snapshot, seat, pinned):
                    check(mine, settings, mode, draft)
        phases.add(snapshot.public.phase)
        if snapshot.public.phase is Phase.OVER:
            break
        seat = (await asked(bot, table_id))[0]
        await move(bot.services, table_id, snapshot.seats[seat].person_id, PLAYER.choose)
    assert phases >= {Phase.WINDOW, Phase.DRAW, Phase.PLAY, Phase.CUT, Phase.OVER}


BETWEEN = (
    ["hand-next", "hand-ledger", "replay", "more"],
    ["hands", "analyse", "fair", "settings", "refresh"],
)
"""The buttons after a deal, and those behind **More**."""


def check(mine, settings, mode, draft):
    assert bool(draft.attachments) != settings.words
    if mine.phase is Phase.OVER:
        lost = mine.sheet.winner not in (None, mine.viewer) and mode is not Mode.MORE
        wanted = [*BETWEEN[mode is Mode.MORE]]
        wanted[3:3] = ["lost-throw"] if lost else []
        assert verbs(draft) == wanted
        assert not selects(draft)
        return
    words = "\n".join(part.get("content", "") for part in parts(draft.components))
    assert ("do not take direct messages from me" in words) == (settings.hands_by_dm and mode in IN_PLAY)
    if mode is Mode.GROUP:
        listed = [value.partition(COPY)[0] for value in values(selects(draft)[0])]
        assert sort_cards(map(Card.parse, listed)) == mine.own.concealed
        assert verbs(draft) == ["refresh"]
    elif mode is Mode.PLAY:
        assert verbs(draft)[-1] == "more"
        assert "refresh" not in verbs(draft)
    elif mode is Mode.MORE:
        assert set(verbs(draft)) >= {"pile", "group", "settings", "refresh"}
        assert "hint" not in verbs(draft), "people only: the deal counts for the ratings"
        assert ("retry-dms" in verbs(draft)) == settings.hands_by_dm
    elif mode is Mode.CARDS and mine.phase is Phase.PLAY and mine.turn == mine.viewer and not mine.taken:
        assert set(cards_offered(draft)) == set(mine.own.concealed)
        assert bool(selects(draft)) == settings.card_list


def values(select):
    return [option["value"] for option in select["options"]]


def cards_offered(draft):
    """Return the cards offered to discard, in order."""
    if selects(draft):
        return [Card.parse(value) for value in values(selects(draft)[0])]
    ids = [button["custom_id"] for button in buttons(draft) if verb(button) == "discard"]
    return [Card.parse(custom_id.rpartition(":")[2]) for custom_id in ids]


@pytest.mark.parametrize("grouping", ["suit", "rank", "best"])
async def test_the_discards_stand_in_the_order_of_the_picture(bot, grouping):
    table_id = await open_table(bot, players=2)
    await bot.services.play.start(table_id, 1, 100)
    while (snapshot := await bot.services.tables.snapshot(table_id)).public.phase is not Phase.PLAY:
        seat = (await asked(bot, table_id))[0]
        await move(bot.services, table_id, snapshot.seats[seat].person_id, PLAYER.choose)
    seat = snapshot.public.turn
    holder = Holder(
        PersonSettings(grouping=grouping), OwnArrangement((snapshot.private[seat].own.concealed[3:6],))
    )
    hand = await bot.services.pictures.hand(snapshot.private[seat], holder)
    layout = lay_out(hand.view, holder.order(hand.view))
    shown = [card for card in dict.fromkeys(layout.cards) if card != hand.view.taken]
    everything = checked(panel(*control_rows(snapshot, hand, texts(), Mode.CARDS)))
    assert cards_offered(everything) == shown
    aside = {card for heap in layout.heaps if heap.kind in PURE for card in heap.cards}
    loose = {card for heap in layout.heaps if heap.kind not in PURE for card in heap.cards} | {layout.drawn}
    at_first = checked(panel(*control_rows(snapshot, hand, texts(), Mode.PLAY)))
    assert cards_offered(at_first) == [card for card in shown if card in loose]
    assert ("others" in verbs(at_first)) == bool(aside - loose)
    listed = replace(snapshot, holders=(Holder(PersonSettings(card_list=True)),) * 2)
    assert cards_offered(checked(panel(*control_rows(listed, hand, texts(), Mode.PLAY)))) == shown


async def test_once_they_have_seen_players_find_their_best_sets(bot):
    seen, unseen = hand_views()["seen"], hand_views()["drawn"]
    for mine, grouping, laid in (
        (unseen, "suit", "suit"),
        (seen, "suit", "best"),
        (seen, "suit_always", "suit"),
        (seen, "rank", "rank"),
        (unseen, "best", "best"),
    ):
        holder = Holder(PersonSettings(grouping=grouping))
        assert (await bot.services.pictures.hand(mine, holder)).layout == lay_out(mine, CardOrder(laid))
        assert replace(holder, plain=True).order(mine).grouping != "best"


@pytest.mark.parametrize("card_list", [False, True])
@pytest.mark.parametrize("mode", [Mode.PLAY, Mode.CARDS])
@pytest.mark.parametrize("laid", ["best", "own order"])
async def test_the_buttons_of_a_rated_deal_do_not_tell_the_sets(bot, mode, card_list, laid):
    table_id = await open_table(bot, players=2)
    await bot.services.play.start(table_id, 1, 100)
    snapshot = await bot.services.tables.snapshot(table_id)
    mine = hand_views()["drawn"]
    arrangement = OwnArrangement(order=() if laid == "best" else (mine.own.concealed[::-1],))
    holders = (Holder(PersonSettings(grouping="best", card_list=card_list), arrangement),) * 2
    for options in (TableOptions(), TableOptions(league=True), TableOptions(daily="2026-11-26")):
        table = replace(snapshot.table, options=options)
        shown = replace(snapshot, table=table, holders=holders, private=(mine,) * 2)
        drafts = checked(await bot.delivery.publisher.hand_panel(shown, 0, mode=mode))
        by_suit = [card for card in dict.fromkeys(mine.own.concealed) if card != mine.taken]
        assert (cards_offered(drafts) == by_suit) == options.is_compared


async def test_what_is_asked_of_a_hand_is_what_it_may_do(bot):
    """A hand without tunnelas is not asked about them, and one that may not take is not shown the pile."""
    table_id = await open_table(bot, players=3)
    await bot.services.play.start(table_id, 1, 100)
    snapshot = await bot.services.tables.snapshot(table_id)
    samples = hand_views()
    dealt = samples["dealt"]
    unasked = replace(dealt.own, answered=False)
    own_window, opened = preset("pagat", tunnela_window="own_first_draw"), preset("pagat", open_tiplu=True)
    tunnela = replace(
        own_seat("2S 2S 2S 8S KS AH 2H 10H JH QH KH 5D 6D 7D JD JD 4C 5C 9C 10C QC"), answered=False
    )
    window = replace(dealt, phase=Phase.WINDOW, seats=(unasked, *dealt.seats[1:]))
    poor = replace(dealt, seats=(own_seat(POOR), *dealt.seats[1:]))
    for mine, key, values in (
        (window, "hand.window_none", {}),
        (replace(window, seats=(tunnela, *dealt.seats[1:])), "hand.window_some", {}),
        (
            replace(window, phase=Phase.DRAW, rules=own_window, seats=(tunnela, *dealt.seats[1:])),
            "hand.may_expose",
            {},
        ),
        (replace(dealt, tiplu=Card.parse("7H"), rules=opened), "hand.tiplu_open", {"card": "7♥"}),
        (dealt, "hand.draw", {}),
        (replace(dealt, pile=()), "hand.draw_only", {}),
        (samples["seen"], "hand.maal", {"points": 25}),
        (poor, "hand.short_show", {"count": 3}),
        (samples["taken"], "hand.play_taken", {"card": "7♣"}),
        (samples["copies"], "hand.ready_now", {"button": texts()("button.show")}),
    ):
        hand = await bot.services.pictures.hand(mine, Holder(PersonSettings(words=True)))
        shown = checked(hand_panel(snapshot, hand, texts()))
        said = "\n".join(part["content"] for part in parts(shown.components) if part["type"] == TEXT)
        assert texts()(key, **values) in said, key


def test_words_name_every_card_and_what_it_is_worth():
    for name, mine in hand_views().items():
        for grouping in ("suit", "rank", "best"):
            words = hand_words(lay_out(mine, CardOrder(grouping)), mine, texts())
            for card in mine.own.concealed:
                if mine.tiplu is not None and (known := role(card, mine.tiplu, mine.rules)):
                    assert texts()(f"role.{known}") in words, name
    assert hand_words(lay_out(hand_views()["drawn"]), hand_views()["drawn"], texts()) == (
        "**Spades:** 2, 3, 4, 8, K\n**Hearts:** 2, 10, 10, Q, K, A\n**Diamonds:** 5, 6, 7, J, J\n"
        "**Clubs:** 4, 5, 9, 10, Q\n**Just drawn:** Clubs 6\n"
        "**Pure sets:** Spades 2, 3, 4 · Diamonds 5, 6, 7 · Clubs 4, 5, 6"
    )
    best = hand_words(lay_out(hand_views()["seen"], CardOrder("best")), hand_views()["seen"], texts())
    assert best.splitlines()[:2] == [
        "**Pure sequence:** Hearts 10, J, Q",
        "**Sequence with jokers:** Diamonds J; Spades 7 (joker); Hearts 6 (jhiplu)",
    ]
    described = hand_words(
        lay_out(hand_views()["drawn"], CardOrder("rank", (parse_cards("QH KH"),))),
        hand_views()["drawn"],
        texts(),
    )
    assert described.startswith("**Your group:** Hearts Q, K\n**A:** Hearts\n**2:** Spades, Hearts\n")


@pytest.mark.parametrize("number", range(3))
def test_hints_say_the_same_whatever_is_hidden(number):
    chance = random.Random(number)
    state, _ = deal(number)
    for after, *_ in [(state,), *list(play(state, PLAYER.choose))[::8]]:
        if after.phase is Phase.OVER:
            continue
        for seat in range(len(after.seats)):
            seen, other = view(after, seat), view(twin(after, seat, chance), seat)
            words = hint_words(seen, hint_of(seen), texts())
            assert words == hint_words(other, hint_of(other), texts())
            assert words.startswith("💡")
            assert len(words) < 1000


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_settings_are_a_message_that_discord_takes(settings):
    drafts = [checked(settings_panel(settings, texts(), subject)) for subject in SUBJECTS]
    chosen = [
        option["value"]
        for draft in drafts
        for select in selects(draft)[1:]
        for option in select["options"]
        if option.get("default")
    ]
    assert chosen == [
        "auto",
        settings.grouping,
        settings.suits,
        settings.theme,
        settings.auto_draw,
        settings.tunnelas,
        settings.play_now_level or "auto",
        settings.timezone or "auto",
        settings.play_hours or "auto",
    ]
    assert sum(len(buttons(draft)) for draft in drafts) == len(SWITCHES)


def test_every_setting_is_on_one_page():
    shown = [verb for verbs in SUBJECTS.values() for verb in verbs]
    assert sorted(shown) == sorted([*SWITCHES, *settings_panels.SELECTS])
