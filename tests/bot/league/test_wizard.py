"""The templates of leagues, and what their message shows before a league is opened."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.errors import UnexpectedInputError, UserError
from bot.panels.league.wizard import LeaguePlan, Own, Said, wizard_panel
from bot.ui.items import BUTTON_TEMPLATE, Press
from bot.words.texts import catalogue
from data.preferences import LANGUAGES, GuildSettings, Pace
from league.pairing.drawing import forecast
from league.settings import default_settings
from league.templates import TEMPLATES
from league.times import DAY, local, milliseconds
from tests.bot.league.house import CHANNEL, GUILD, STAFF, LeagueHouse

NOW = milliseconds(datetime(2026, 11, 22, 17, 5, tzinfo=UTC))
NEPAL = GuildSettings(timezone="Asia/Kathmandu")


@pytest.mark.parametrize("days", range(9))
def test_an_evening_begins_on_a_friday_at_eight_at_least_a_day_later(days: int):
    now = NOW + days * DAY
    template = TEMPLATES["arena"]
    begins = template.starts_at(now, template.settings("Asia/Kathmandu"))
    assert begins is not None
    assert f"{local(begins, 'Asia/Kathmandu'):%A %H:%M}" == "Friday 20:00"
    assert DAY <= begins - now <= 8 * DAY


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", TEMPLATES)
def test_the_message_of_every_template_fits(name: str, language: str):
    plan = LeaguePlan.new(TEMPLATES[name], NEPAL)
    shown = wizard_panel(plan, NEPAL, NOW, catalogue(language))
    assert not shown.is_cut
    assert str(plan) in str(shown.view.to_components())
    assert LeaguePlan.read(str(plan)) == plan


def test_a_choice_changes_one_part_of_the_plan_and_a_template_brings_its_clock():
    plan = LeaguePlan.new(TEMPLATES["pods"], NEPAL)
    assert plan.pace == Pace.NORMAL
    assert plan.with_choice("pick-plan-clock", "slow", NEPAL).pace == Pace.SLOW
    assert plan.with_choice("pick-plan-rules", "murder", NEPAL).rules == "murder"
    assert plan.with_choice("pick-plan", "arena", NEPAL).pace == Pace.FAST


@pytest.mark.parametrize(
    "argument", ["", "pods", "pods_normal", "pods_soon_pagat", "cups_normal_pagat", "pods_normal_x"]
)
def test_a_plan_that_there_is_not_is_refused(argument: str):
    with pytest.raises(UnexpectedInputError):
        LeaguePlan.read(argument)


@pytest.mark.parametrize("verb", ["pick-plan", "pick-plan-clock", "pick-plan-rules"])
def test_a_choice_that_there_is_not_is_refused(verb: str):
    with pytest.raises(UnexpectedInputError):
        LeaguePlan.new(TEMPLATES["pods"], NEPAL).with_choice(verb, "anything", NEPAL)


def test_house_rules_that_are_gone_meanwhile_are_refused():
    with pytest.raises(UnexpectedInputError):
        LeaguePlan.read("pods_normal_server").founding(NEPAL, NOW, catalogue("en"))


def test_with_34_players_a_season_of_pods_has_nine_tables_in_each_of_seven_rounds():
    found = forecast(default_settings("pods").with_options(cut_to=8), 34)
    assert found is not None
    assert (found.tables, found.rounds, found.finalists, found.divisions) == (9, 7, 8, 0)
    divided = forecast(default_settings("divisions"), 34)
    assert divided is not None
    assert (divided.divisions, divided.tables) == (4, 8)
    assert forecast(default_settings("pods"), 2) is None
    assert forecast(default_settings("ladder"), 34) is None


@pytest.mark.parametrize("name", TEMPLATES)
async def test_a_league_is_opened_as_its_template_says(house: LeagueHouse, name: str):
    plan = LeaguePlan.new(TEMPLATES[name], NEPAL)
    founding = plan.founding(NEPAL, house.clock.now(), catalogue("en"))
    season = await house.leagues.create(GUILD, CHANNEL, STAFF, founding, next(house.ids))
    seen = await house.view(season)
    assert seen.season.settings == founding.settings
    assert seen.row.pace == plan.pace
    if founding.starts_at is not None:
        assert seen.row.starts_at == founding.starts_at
    elif seen.season.settings.format.has_draw:
        assert local(seen.row.starts_at, NEPAL.timezone).hour == 19


OWN = Own(
    starts_at=NOW // 60_000 + 3 * 1440, rounds=5, pod_size=3, most_players=12, timezone="Asia/Kathmandu"
)


@pytest.mark.parametrize(
    "own", [Own(), OWN, Own(timezone="UTC"), Own(rounds=30, most_players=500, pod_size=5)]
)
def test_the_choices_travel_in_the_custom_ids(own: Own):
    plan = replace(LeaguePlan.new(TEMPLATES["pods"], NEPAL), own=own)
    press = Press.parse(str(plan.press("league-open")), BUTTON_TEMPLATE)
    assert press is not None
    assert LeaguePlan.of(press) == plan
    assert plan.with_choice("pick-plan-clock", "slow", NEPAL).own == own
    assert plan.with_choice("pick-plan", "divisions", NEPAL).own == replace(own, starts_at=0, rounds=0)


@pytest.mark.parametrize("numbers", [(0, 10**17), (0, 9_999)])
def test_numbers_that_no_plan_has_are_refused(numbers: tuple[int, int]):
    with pytest.raises(UnexpectedInputError):
        LeaguePlan.of(Press("league-open", *numbers, "pods_normal_pagat"))


def test_what_differs_from_the_template_is_in_the_season():
    plan = replace(LeaguePlan.new(TEMPLATES["pods"], GuildSettings()), own=OWN)
    said = Said("Dashain", "Everybody is welcome", 77)
    founding = plan.founding(GuildSettings(), NOW, catalogue("en"), said)
    settings = founding.settings
    assert (founding.name, founding.starts_at) == ("Dashain", OWN.starts_at * 60_000)
    assert (settings.rounds, settings.pod_size, settings.most_players) == (5, 3, 12)
    assert (settings.timezone, settings.description, settings.role) == (
        "Asia/Kathmandu",
        "Everybody is welcome",
        77,
    )
    for late in (NOW // 60_000, NOW // 60_000 + 91 * 1440):
        with pytest.raises(UserError, match="bad_start"):
            replace(plan, own=replace(OWN, starts_at=late)).founding(NEPAL, NOW, catalogue("en"))
    with pytest.raises(UserError, match="bad_numbers"):
        replace(plan, own=replace(OWN, rounds=31)).founding(NEPAL, NOW, catalogue("en"))
