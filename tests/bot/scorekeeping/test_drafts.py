"""What the next form of a home game is filled in with."""

from dataclasses import replace

import pytest

from bot.errors import StaleRevisionError, UserError
from bot.people import NamedPerson
from bot.scorekeeping.score_text import Typed
from bot.scorekeeping.scorekeeper import Keeper, Scorekeeper
from data.ids import ScoreSessionId
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


async def begun(store: Store, clock: SetClock) -> tuple[Scorekeeper, ScoreSessionId]:
    """Write two deals down."""
    scores = Scorekeeper(store, clock)
    number = await scores.open(GUILD, CHANNEL, [KEEPER.person], ("Ram", "Sita"), PRESETS["pagat"])
    for revision in range(2):
        await scores.enter(number, GUILD, KEEPER, revision, replace(TYPED, maal=f"Ram: {revision}"))
    return scores, number


async def refused(scores: Scorekeeper, number: ScoreSessionId, corrects: int | None = None) -> Typed:
    """Type an entry with a mistake, which is kept."""
    typed = replace(TYPED, maal="Ram: 12\nSota: 7", corrects=corrects)
    with pytest.raises(UserError):
        await enter(scores, number, typed)
    assert (await scores.evening(number, GUILD)).has_kept(typed)
    return typed


async def enter(scores: Scorekeeper, number: ScoreSessionId, typed: Typed) -> None:
    now = await scores.evening(number, GUILD)
    await scores.enter(number, GUILD, KEEPER, now.session.revision, typed)


async def test_an_entry_that_is_kept_outlives_the_corrections_of_other_deals(store: Store, clock: SetClock):
    scores, number = await begun(store, clock)
    following, first = await refused(scores, number), await refused(scores, number, 1)
    await enter(scores, number, replace(TYPED, corrects=2))
    evening = await scores.evening(number, GUILD)
    assert (evening.draft(), evening.draft(1)) == (following, first)
    await enter(scores, number, replace(TYPED, corrects=1))
    evening = await scores.evening(number, GUILD)
    assert (evening.draft(), evening.draft(1).maal) == (following, "Ram: 5\nSita: 3")


async def test_a_correction_that_is_kept_outlives_the_next_deal(store: Store, clock: SetClock):
    scores, number = await begun(store, clock)
    first = await refused(scores, number, 1)
    await enter(scores, number, TYPED)
    evening = await scores.evening(number, GUILD)
    assert (evening.draft(), evening.draft(1)) == (Typed(), first)


async def test_an_undone_deal_fills_in_the_next_form_and_its_kept_correction_none(
    store: Store, clock: SetClock
):
    scores, number = await begun(store, clock)
    await refused(scores, number, 2)
    first = await refused(scores, number, 1)
    await scores.undo(number, GUILD, KEEPER)
    evening = await scores.evening(number, GUILD)
    undone = evening.draft()
    assert (undone.maal, evening.draft(1)) == ("Ram: 1\nSita: ", first)
    await enter(scores, number, undone)
    assert (await scores.evening(number, GUILD)).draft(2).maal == "Ram: 1\nSita: "


async def test_an_undone_deal_can_be_entered_again_after_its_players_are_renamed(
    store: Store, clock: SetClock
):
    scores, number = await begun(store, clock)
    wrong = await refused(scores, number, 1)
    await scores.undo(number, GUILD, KEEPER)
    await scores.change(number, GUILD, KEEPER, None, {"names": ("Sita", "Mum", "Hari")})
    evening = await scores.evening(number, GUILD)
    assert evening.draft().maal == "Sita: 1\nMum: "
    assert evening.draft(1).maal == wrong.maal.replace("Ram", "Sita")
    await enter(scores, number, evening.draft())


async def test_a_correction_that_is_kept_charges_no_player_who_came_later(store: Store, clock: SetClock):
    scores, number = await begun(store, clock)
    wrong = await refused(scores, number, 1)
    await scores.change(number, GUILD, KEEPER, None, {"names": ("Ram", "Sita", "Hari", "Sota")})
    assert (await scores.evening(number, GUILD)).draft(1) == replace(wrong, special=("out-2",))


async def test_what_is_kept_is_there_when_a_closed_game_is_opened_again(store: Store, clock: SetClock):
    scores, number = await begun(store, clock)
    typed = await refused(scores, number)
    await scores.close(number, GUILD, KEEPER)
    await scores.reopen(number, GUILD, KEEPER)
    assert (await scores.evening(number, GUILD)).draft() == typed


async def test_an_entry_kept_by_an_earlier_version_fills_in_its_form(store: Store, clock: SetClock):
    scores, number = await begun(store, clock)
    kept = '{"winner": "1", "seen": ["1"], "maal": "", "tiplu": "", "special": [], "corrects": 1}'
    await store.write(lambda db: db.score_sessions.set_draft(number, kept))
    evening = await scores.evening(number, GUILD)
    assert (evening.draft(), evening.draft(1)) == (Typed(), Typed(winner="1", seen=("1",), corrects=1))


async def test_a_damaged_entry_keeps_no_deal_from_being_undone(store: Store, clock: SetClock):
    scores, number = await begun(store, clock)
    await store.write(lambda db: db.score_sessions.set_draft(number, '{"winner": "0'))
    await scores.undo(number, GUILD, KEEPER)
    assert (await scores.evening(number, GUILD)).draft().maal == "Ram: 1\nSita: "


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
