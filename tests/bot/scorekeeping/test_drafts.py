"""What the next form of a home game is filled in with."""

from dataclasses import replace

import pytest

from bot.errors import StaleRevisionError, UserError
from bot.people import NamedPerson
from bot.scorekeeping.score_text import Typed
from bot.scorekeeping.scorekeeper import Keeper, Scorekeeper
from data.store import Store
from marriage.rules import PRESETS
from tests.bot.conftest import CHANNEL, GUILD, RAM, SITA, SetClock
from tests.bot.house import House

KEEPER = Keeper(NamedPerson(RAM, "Ram"), staff=False)
TYPED = Typed(winner="0", seen=("0", "1"), maal="Ram: 5\nSita: 3")


@pytest.mark.parametrize("corrects", [None, 1])
async def test_a_form_that_is_delivered_twice_does_not_fill_in_the_next_one(
    store: Store, clock: SetClock, corrects: int | None
):
    scores, typed = Scorekeeper(store, clock), replace(TYPED, corrects=corrects)
    number = await scores.open(GUILD, CHANNEL, [KEEPER.person], ("Ram", "Sita"), PRESETS["pagat"])
    if corrects is not None:
        await scores.enter(number, GUILD, KEEPER, 0, replace(TYPED, maal="Ram: 7"))
    revision = (await scores.evening(number, GUILD)).session.revision
    await scores.enter(number, GUILD, KEEPER, revision, typed)
    with pytest.raises(StaleRevisionError):
        await scores.enter(number, GUILD, KEEPER, revision, typed)
    evening = await scores.evening(number, GUILD)
    assert evening.session.draft is None
    assert len(evening.entries) == 1


@pytest.mark.parametrize("maal", ["Ram: 6\nSita: 3", "Ram: 6\nSota: 3"], ids=["sound", "mistyped"])
async def test_another_deal_that_came_too_late_fills_in_the_next_form(
    store: Store, clock: SetClock, maal: str
):
    scores, late = Scorekeeper(store, clock), replace(TYPED, maal=maal)
    number = await scores.open(GUILD, CHANNEL, [KEEPER.person], ("Ram", "Sita"), PRESETS["pagat"])
    shown = await scores.evening(number, GUILD)
    await scores.enter(number, GUILD, KEEPER, shown.session.revision, TYPED)
    with pytest.raises(StaleRevisionError):
        await scores.enter(number, GUILD, KEEPER, shown.session.revision, late, shown.forgotten)
    assert (await scores.evening(number, GUILD)).draft() == late


@pytest.mark.parametrize(
    ("names", "maal"),
    [
        (("Ram", "Sita"), "Ram: 5\nSita: 3"),
        (("Ram", "Mum"), "Ram: 5\nSita: 3"),
        (("Ram", "Mum"), "Ram: 5\nMum: Sita"),
    ],
    ids=["a player", "a line of a refused entry", "a word of a refused entry"],
)
async def test_a_form_that_was_open_while_somebody_was_forgotten_brings_no_name_back(
    store: Store, names: tuple[str, ...], maal: str
):
    house = House(store)
    scores, sita = house.services.scores, NamedPerson(SITA, "Sita")
    typed = replace(TYPED, maal=maal)
    number = await scores.open(GUILD, CHANNEL, [KEEPER.person, sita], names, PRESETS["pagat"])
    if "Mum" in names:
        with pytest.raises(UserError):
            await scores.enter(number, GUILD, KEEPER, 0, typed)
    shown = await scores.evening(number, GUILD)
    assert (shown.session.revision, shown.session.draft is None) == (0, "Mum" not in names)
    assert await house.services.forgetting.forget(SITA)
    with pytest.raises(StaleRevisionError):
        await scores.enter(number, GUILD, KEEPER, shown.session.revision, typed, shown.forgotten)
    assert (await scores.evening(number, GUILD)).session.draft is None


async def test_a_form_that_still_has_a_former_name_does_not_bring_it_back_after_its_person_was_forgotten(
    store: Store,
):
    house = House(store)
    scores, sita = house.services.scores, NamedPerson(SITA, "Sita")
    number = await scores.open(GUILD, CHANNEL, [KEEPER.person, sita], ("Ram", "Sita"), PRESETS["pagat"])
    shown = await scores.evening(number, GUILD)
    await scores.change(number, GUILD, KEEPER, 0, {"names": ("Ram", "Mum")})
    assert await house.services.forgetting.forget(SITA)
    with pytest.raises(StaleRevisionError):
        await scores.enter(number, GUILD, KEEPER, 0, replace(TYPED, maal="Sita: 3"), shown.forgotten)
    assert (await scores.evening(number, GUILD)).session.draft is None


async def test_a_deal_that_was_undone_and_is_entered_again_charges_no_player_who_came_later(
    store: Store, clock: SetClock
):
    scores = Scorekeeper(store, clock)
    number = await scores.open(GUILD, CHANNEL, [KEEPER.person], ("Ram", "Sita", "Hari"), PRESETS["pagat"])
    await scores.enter(number, GUILD, KEEPER, 0, TYPED)
    await scores.change(number, GUILD, KEEPER, 1, {"names": ("Ram", "Sita", "Hari", "Gita")})
    before = (await scores.evening(number, GUILD)).totals
    await scores.undo(number, GUILD, KEEPER)
    undone = await scores.evening(number, GUILD)
    await scores.enter(number, GUILD, KEEPER, undone.session.revision, undone.draft())
    assert (await scores.evening(number, GUILD)).totals == before == (20, -2, -18, 0)
