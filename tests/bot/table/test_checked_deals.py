"""What `/verify` says of the place where the tiplu was cut."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.history.past_deals import Checked, check_deal
from bot.panels.history.deal_list import verdict
from bot.people import NamedPerson
from bot.words.texts import texts
from data.preferences import Pace
from data.repositories.deal_search import Sight
from marriage import decide
from marriage.actions import Action, CutTiplu
from marriage.events import Event, TipluCut
from marriage.state import Phase, State
from marriage.strategy.players import GreedyPlayer
from marriage.view import View
from tests.bot.house import CHANNEL, GUILD, PEOPLE, House
from tests.bot.windows import move
from tests.marriage.dealing import actor

RIGHT = "every card dealt, drawn, cut and reshuffled follows from it."


async def checked(house: House, place: int | None = None) -> Checked:
    """Play a deal whose tiplu is cut at this place, and check it."""
    well = GreedyPlayer(count_outs=False).choose

    def choose(shown: View) -> Action:
        action = well(shown)
        return CutTiplu(place) if isinstance(action, CutTiplu) else action

    await house.seat_people(Pace.NONE, 2, 0)
    while (state := await house.state()).phase is not Phase.OVER:
        await move(house.services, 1, PEOPLE[actor(state)], choose)
    return await check_deal(house.store, Sight(PEOPLE[0], GUILD, frozenset({CHANNEL})), 1, 1)


def cuts_otherwise(monkeypatch: pytest.MonkeyPatch, change: Callable[[State, TipluCut], TipluCut]) -> None:
    honest = decide.cut

    def cut(state: State, seat: int, place: int | None) -> list[Event]:
        events = honest(state, seat, place)
        return [change(state, event) if isinstance(event, TipluCut) else event for event in events]

    monkeypatch.setattr(decide, "cut", cut)


async def test_of_a_cut_left_to_chance_there_is_nothing_to_say(house: House):
    found = await checked(house)
    assert (found.fault, found.free_cut) == (None, None)
    assert verdict(found, texts()).endswith(RIGHT)


async def test_a_chosen_place_is_named(house: House):
    found = await checked(house, place=4)
    assert found.fault is None
    assert f"{RIGHT} The place of the tiplu, card 5 from the top of the stock," in verdict(found, texts())


async def test_of_an_older_deal_it_says_that_the_place_was_not_checked(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    cuts_otherwise(monkeypatch, lambda _state, cut: replace(cut, chosen=None))
    found = await checked(house)
    assert found.fault is None
    assert verdict(found, texts()).endswith("So its card was checked, but not the place.")


async def test_a_cut_left_to_chance_is_not_where_the_bot_wants_it(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    def elsewhere(state: State, cut: TipluCut) -> TipluCut:
        place = (cut.place + 1) % len(state.stock)
        return replace(cut, place=place, card=state.stock[place])

    cuts_otherwise(monkeypatch, elsewhere)
    found = await checked(house)
    assert found.fault == "the tiplu was not cut at the place that follows from the seed"
    assert "does not check out: the tiplu was not cut" in verdict(found, texts())


async def test_on_a_board_the_place_of_the_tiplu_is_fixed_so_that_an_older_cut_is_checked_too(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    cuts_otherwise(monkeypatch, lambda _state, cut: replace(cut, chosen=None))
    await house.store.write(lambda db: db.guilds.keep(GUILD))
    host = NamedPerson(PEOPLE[0], "P0")
    table, _ = await house.services.daily.open(GUILD, host, next(house.ids))
    await house.play.play_out(table)
    [day] = await house.store.read(lambda db: db.deadlines.of_table(table))
    house.clock.at = day.due_at
    await house.services.daily.close(table, day.revision)
    found = await check_deal(house.store, Sight(host.id, GUILD), table, 1)
    assert (found.fault, found.free_cut) == (None, None)
