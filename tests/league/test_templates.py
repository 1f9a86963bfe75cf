"""Templates of leagues: their settings are valid, and they begin on their day, at least a day later."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from league.templates import TEMPLATES
from league.times import DAY, days_later, local, timezone_named

KATHMANDU = "Asia/Kathmandu"


def at(*day: int) -> int:
    return int(datetime(*day, tzinfo=ZoneInfo(KATHMANDU)).timestamp() * 1000)


@pytest.mark.parametrize("name", TEMPLATES)
def test_the_settings_of_every_template_hold(name: str):
    template = TEMPLATES[name]
    settings = template.settings(KATHMANDU)
    assert (settings.timezone, settings.format.name) == (KATHMANDU, template.format)
    assert {key: getattr(settings, key) for key in template.numbers} == dict(template.numbers)


@pytest.mark.parametrize(
    ("opened", "first"),
    [
        ((2026, 11, 23, 12), (2026, 11, 27, 20)),
        ((2026, 11, 26, 20), (2026, 11, 27, 20)),
        ((2026, 11, 26, 21), (2026, 12, 4, 20)),
        ((2026, 11, 27, 8), (2026, 12, 4, 20)),
    ],
)
def test_an_evening_begins_on_a_friday_that_is_a_day_away(opened: tuple[int, ...], first: tuple[int, ...]):
    evening = TEMPLATES["evening"]
    assert evening.starts_at(at(*opened), evening.settings(KATHMANDU)) == at(*first)


def test_sign_up_decides_when_other_leagues_begin():
    pods = TEMPLATES["pods"]
    assert pods.starts_at(at(2026, 11, 23), pods.settings(KATHMANDU)) is None


def test_a_day_later_clocks_show_the_same_hour():
    before = 1_774_700_000_000  # London's clocks go forward in the following night
    after = days_later(before, "Europe/London", 1)
    assert local(after, "Europe/London").time() == local(before, "Europe/London").time()
    assert after - before == DAY - 3_600_000


def test_a_time_zone_that_nobody_knows_is_none():
    assert timezone_named(" asia/kathmandu ") == KATHMANDU
    assert timezone_named("Mars/Olympus") is None
