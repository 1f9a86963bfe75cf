"""The numbers of a season as people type them."""

import pytest

from bot.errors import UserError
from bot.league.number_settings import NAMES, changed, described, shown_value
from bot.words.texts import texts
from data.preferences import Pace
from league.formats import FORMATS
from league.settings import default_settings
from tests.bot.league.house import STAFF, LeagueHouse

PODS = default_settings("pods")


@pytest.mark.parametrize(
    ("name", "typed", "value", "shown"),
    [
        ("rounds", " 9 ", 9, "9"),
        ("rounds", "९", 9, "9"),
        ("absence_points", "−2.5", -250, "-2.5"),
        ("average_plus", "+3", 300, "3"),
        ("cut", "2.25", 225, "2.25"),
        ("swiss_weight", "–", None, "–"),
        ("swiss_weight", "1.5", 150, "1.5"),
        ("reminder_hours", "48, 12", (48, 12), "48 12"),
        ("reminder_hours", "–", (), "–"),
        ("no_fives", "Yes", True, "yes"),
        ("tables", "Channel", "channel", "channel"),
        ("role", "<@&123456789>", 123456789, "<@&123456789>"),
        ("role", "-", 0, "–"),
        (
            "bonus",
            "5 -5; 5 0 -5; 5 1.5 -1.5 -5; 0 0 0 0 0",
            ((500, -500), (500, 0, -500), (500, 150, -150, -500), (0,) * 5),
            "5 -5; 5 0 -5; 5 1.5 -1.5 -5; 0 0 0 0 0",
        ),
    ],
)
def test_a_number_is_typed_and_shown_as_people_write_it(name, typed, value, shown):
    after = changed(PODS, name, typed)
    assert getattr(after, name) == value
    assert shown_value(after, name) == shown


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("rounds", "31"),
        ("rounds", "7.5"),
        ("rounds", "1e9"),
        ("rounds", "9" * 4000),
        ("rounds", "–"),
        ("rounds", "seven"),
        ("absence_points", "1"),
        ("absence_points", "-0.001"),
        ("cut_to", "5"),
        ("no_fives", "perhaps"),
        ("tables", "forum"),
        ("best_rounds", "8"),
        ("bonus", "10 -10"),
        ("bonus", "10; 20; 30; 40"),
        ("reminder_hours", "24 x"),
        ("role", "9" * 3_990),
        ("role", "-5"),
        ("role", "members"),
    ],
)
def test_what_a_number_cannot_be_is_refused_with_what_it_means(name, typed):
    with pytest.raises(UserError, match="bad_setting") as refused:
        changed(PODS, name, typed)
    assert refused.value.values["what"] == described(name, texts())


@pytest.mark.parametrize("name", ["format", "", "rules", "<@1>"])
def test_there_are_no_other_numbers(name):
    with pytest.raises(UserError, match="no_setting"):
        changed(PODS, name, "1")


@pytest.mark.parametrize("settings", [*map(default_settings, FORMATS)], ids=FORMATS)
def test_every_number_can_be_typed_as_it_is_shown(settings):
    assert all(changed(settings, name, shown_value(settings, name)) == settings for name in NAMES)


async def test_a_league_has_a_clock_of_its_own_which_staff_change_before_the_first_draw(house: LeagueHouse):
    season = await house.open()
    admin = house.season_admin
    await admin.set_number(season, STAFF, "clock", " Slow ", next(house.ids))
    assert (await house.leagues.view(season)).row.pace == Pace.SLOW
    with pytest.raises(UserError) as refused:
        await admin.set_number(season, STAFF, "clock", "soon", next(house.ids))
    assert refused.value.key == "league.bad_setting"
