"""A typed time is repeated as understood, with its day of the week, before and when it takes effect."""

from datetime import timedelta

import pytest

from bot.words.numbers import date_words
from league.times import SECOND, local, milliseconds
from tests.e2e.seasons import JOIN, Circle

KATHMANDU, PERTH = "Asia/Kathmandu", "Australia/Perth"


@pytest.fixture
async def circle(discord, start_bot, clock) -> Circle:
    people = [discord.person(name) for name in ("asha", "bikram", "chandra", "deepa")]
    circle = Circle(await start_bot(clock=clock), clock, people)
    await circle.open("Autumn", "3, 7, 3", confirm_hours=0, tables="channel", timezone=KATHMANDU)
    await circle.press(JOIN, "Sign up until", people)
    await circle.draw(1)
    return circle


async def test_a_proposal_is_told_back_by_the_clocks_of_who_makes_it(discord, circle, clock):
    asha = discord.person("asha")
    await asha.slash("settings", timezone=PERTH)
    tomorrow = local(clock.now(), PERTH) + timedelta(days=1)
    at = milliseconds(tomorrow.replace(hour=20, minute=0, second=0, microsecond=0))
    told = date_words(at, PERTH)

    [offer, *_] = await asha.autocomplete("league propose", focused="when", when="बेलुका ८ बजे भोलि")
    assert offer["name"] == f"{told} ({PERTH})"
    [unread] = await asha.autocomplete("league propose", focused="when", when="soon")
    assert unread["name"] == unread["value"] == "soon"
    for when in (offer["value"], "बेलुका ८ बजे भोलि"):
        answer = (await asha.slash("league propose", when=when)).message.text
        assert f"**{told}** ({PERTH})" in answer
        assert f"<t:{at // SECOND}:F>" in answer


async def test_an_extension_is_told_back_by_the_clocks_of_the_league(circle, clock):
    day = local(clock.now(), KATHMANDU) + timedelta(days=20)
    at = milliseconds(day.replace(hour=18, minute=30, second=0, microsecond=0))
    told, typed = date_words(at, KATHMANDU), f"18:30 {day:%Y-%m-%d}"

    [offer] = await circle.staff.autocomplete("league-staff extend", focused="until", until=typed, reason="x")
    assert offer["name"] == f"{told} ({KATHMANDU})"
    answer = (await circle.staff.slash("league-staff extend", until=typed, reason="holidays")).message.text
    assert f"**{told}** ({KATHMANDU})" in answer
    assert f"<t:{at // SECOND}:F>" in answer
