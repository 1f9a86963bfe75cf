"""Two seasons: 24 people in four rounds of pods, and two divisions.

The first has absences, a withdrawal, a correction and a final.
"""

from bot.league.ruling_events import corrected
from bot.league.rulings import Rulings
from bot.people import NamedPerson
from tests.bot.league.house import DAY, HOUR, STAFF, LeagueHouse

PEOPLE = tuple(range(101, 125))
ROUNDS = 4


async def test_twenty_four_people_and_a_final(house: LeagueHouse):
    season = await house.open(
        rounds=ROUNDS, signup_days=2, confirm_hours=24, round_days=2, cut_to=4, final_matches=1, no_fives=True
    )
    begins = (await house.view(season)).row.starts_at
    await house.join(season, *PEOPLE)
    for number in range(1, ROUNDS + 1):
        draw = begins + (number - 1) * 2 * DAY
        await house.until(season, draw - HOUR)
        absent = PEOPLE[number : number + 2] if number > 1 else ()
        gone = PEOPLE[-1:] if number > 3 else ()
        await house.come(season, number, *(person for person in PEOPLE if person not in (*absent, *gone)))
        await house.until(season, draw)
        await house.play_round(season, number)
        await house.rounds.catch_up(season)
        if number == 3:
            await house.entries.leave(season, NamedPerson(PEOPLE[-1], "gone"), next(house.ids))
            rulings = Rulings(house.leagues)
            preview = await rulings.prepare(
                season,
                STAFF,
                "typed wrongly",
                lambda season, _, __: corrected(season, 1, 1, _nought(season, 1)),
            )
            await rulings.enact(season, preview.draft, STAFF, next(house.ids))
    seen = await house.view(season)
    assert seen.season.drawn == ROUNDS
    assert len(seen.season.absences) == 2 * (ROUNDS - 1) + 1, "one has left before the last round"
    final = [pod for pod in seen.season.pods.values() if pod.stage]
    assert [len(pod.players) for pod in final] == [4]
    assert set(final[0].players) == {
        row.row.player for row in seen.standings().rows if row.row.zone == "final"
    }
    await house.play_round(season, ROUNDS + 1)
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert seen.row.closed_at is not None
    assert seen.champion() in final[0].players
    await house.assert_fold(season)


def _nought(season, pod: int) -> str:
    """Return the points of a deal in which no one won anything."""
    return " ".join("0" for _ in season.pods[pod].players)


async def test_divisions_are_drawn_at_once_and_know_who_goes_up_and_down(house: LeagueHouse):
    season = await house.open(
        "divisions", rounds=2, signup_days=1, confirm_hours=0, round_days=1, division_size=4, promoted=1
    )
    begins = (await house.view(season)).row.starts_at
    await house.join(season, *PEOPLE[:8])
    await house.until(season, begins)
    seen = await house.view(season)
    assert seen.divisions == (1, 2)
    assert len(seen.season.pods) == 4
    assert {seen.season.pods[pod].round for pod in seen.tables} == {1}
    await house.play_round(season, 1)
    await house.until(season, begins + DAY)
    await house.play_round(season, 2)
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert seen.row.closed_at is not None
    assert [row.row.zone for row in seen.standings(1).rows] == [None, None, None, "down"]
    assert [row.row.zone for row in seen.standings(2).rows] == ["up", None, None, None]
    await house.assert_fold(season)
