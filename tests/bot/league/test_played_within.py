"""The time allowed for a match that is played later than its round."""

from bot.league.agenda import played_within
from league.season import Season
from league.settings import default_settings
from league.times import DAY, MINUTE


def test_a_match_that_is_reopened_has_as_long_as_a_round():
    evening = default_settings("swiss").with_options(round_minutes=45)
    assert played_within(Season(settings=evening)) == 45 * MINUTE
    assert played_within(Season(settings=default_settings("swiss"))) == 7 * DAY
