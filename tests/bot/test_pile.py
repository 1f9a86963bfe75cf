"""The whole pile: every discard and who threw it, newest first, in pages that fit a message."""

from dataclasses import replace

import pytest

from bot.panels.table.hand import pile_panel
from bot.words.texts import texts
from marriage.cards import CARDS
from marriage.rules import preset
from marriage.view import View, view
from tests.bot.test_panels import NAMES, checked, open_table, parts
from tests.marriage.dealing import Script, arranged


@pytest.fixture
async def snapshot(bot):
    table_id = await open_table(bot, players=2)
    await bot.services.play.start(table_id, 1, 100)
    return await bot.services.tables.snapshot(table_id)


def lines(snapshot, seen: View, number: int = 0) -> list[str]:
    draft = checked(pile_panel(snapshot, seen, number, texts()))
    said = "\n".join(part["content"] for part in parts(draft.components) if part["type"] == 10)
    return [line for line in said.splitlines() if " · " in line]


def buttons(snapshot, seen: View, number: int) -> list[tuple[str, bool]]:
    draft = checked(pile_panel(snapshot, seen, number, texts()))
    *pressed, back = [part for part in parts(draft.components) if part["type"] == 2]
    assert back["custom_id"].split(":")[1] == "refresh", "the hand comes back into its message"
    return [(part["custom_id"].rsplit(":", 1)[1], part.get("disabled", False)) for part in pressed]


def thrown(turns: int) -> View:
    deal = Script(arranged("", "", up="2D", rules=preset("pagat"))).close_window()
    for _ in range(turns):
        deal.pass_turn()
    return view(deal.state, 1)


async def test_every_discard_is_named_with_its_player_the_newest_first(snapshot):
    seen = thrown(12)
    shown = lines(snapshot, seen)
    assert len(shown) == 13
    signs = str.maketrans("SHDC", "♠♥♦♣")
    for line, (card, seat) in zip(shown, reversed(seen.discards), strict=True):
        assert str(card).translate(signs) in line
        assert line.endswith("turned up at the deal" if seat is None else snapshot.shown_names[seat])
    assert buttons(snapshot, seen, 0) == []


async def test_a_long_pile_has_pages_and_each_discard_is_on_one_of_them(snapshot):
    seen = thrown(50)
    pages = [lines(snapshot, seen, number) for number in range(3)]
    assert [len(page) for page in pages] == [20, 20, 11]
    assert buttons(snapshot, seen, 0) == [("0", True), ("1", False)]
    assert buttons(snapshot, seen, 1) == [("0", False), ("2", False)]
    assert lines(snapshot, seen, 99) == pages[-1]


async def test_a_reshuffle_is_said_and_only_what_lies_there_is_named(snapshot):
    deal = Script(arranged("", "", "", "", "", rules=preset("pagat"))).close_window()
    while not deal.state.reshuffles:
        deal.pass_turn()
    seen = view(deal.state, 0)
    draft = checked(pile_panel(replace(snapshot, seats=snapshot.seats * 3), seen, 0, texts()))
    words = "\n".join(part["content"] for part in parts(draft.components) if part["type"] == 10)
    assert "1 card," in words
    assert "shuffled into the stock, 1 time" in words


async def test_all_cards_and_the_longest_names_fit_into_a_message(snapshot):
    seats = tuple(replace(seat, name=max(NAMES, key=len)) for seat in snapshot.seats)
    pile = CARDS[:52] * 3
    seen = replace(thrown(0), pile=pile, throwers=(0, 1) * (len(pile) // 2))
    for number in range(8):
        assert lines(replace(snapshot, seats=seats), seen, number)
    empty = checked(pile_panel(snapshot, replace(seen, pile=(), throwers=()), 0, texts()))
    assert texts()("pile.empty") in str(empty.components)
