"""How often each player saw the tiplu in a season, counted from its deals."""

from collections import Counter

from bot.history.exports import seen_shares
from bot.panels.league.standings import standings_panel
from bot.words.texts import texts
from data.transaction import ReadTransaction
from league.statistics.stats import Seen
from tests.bot.league.house import LeagueHouse
from tests.bot.league.test_duplicate_season import words
from tests.bot.league.test_wording import drawn


async def test_the_shares_are_those_of_the_deals_one_by_one(house: LeagueHouse):
    season, people = await drawn(house, rounds=3)
    await house.play_round(season, 1)
    view = await house.view(season)

    async def read(db: ReadTransaction):
        shares = await seen_shares(db, season, view.season)
        deals = [deal async for deal in db.stats.finished_deals()]
        return shares, deals

    shares, deals = await house.store.read(read)
    played = Counter(seat.person for deal in deals for seat in deal.seats)
    saw = Counter(seat.person for deal in deals for seat in deal.seats if seat.seen)
    assert len(deals) == 4
    assert sum(saw.values()) >= 4  # a player who finishes has seen it
    assert shares == {view.by_person[person]: Seen(4, saw[person]) for person in people}
    assert played == dict.fromkeys(people, 4)


async def test_a_share_of_few_deals_is_not_shown(house: LeagueHouse):
    season, people = await drawn(house, rounds=3)
    await house.play_round(season, 1)
    view = await house.view(season)
    first, second = (view.by_person[person] for person in people[:2])
    shares = {first: Seen(40, 30), second: Seen(29, 29)}
    said = words(standings_panel(view, 0, 0, first, texts(), None, shares))
    assert said.count(" %") == 1
    assert "seen 75 %" in next(line for line in said.splitlines() if view.name(first) in line)
