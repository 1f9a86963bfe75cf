"""Templates of leagues: their settings are valid, and they begin on their day, at least a day later."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from league.templates import TEMPLATES

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
        ((2026, 11, 24, 3), (2026, 11, 27, 20)),
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
