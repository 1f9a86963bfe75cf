"""Deal the prepared deal: everybody takes their seat, and contributions to the shuffle end."""

from dataclasses import replace
from functools import partial

from bot.table.core.change import TableTransaction
from bot.table.core.fairness import complete
from bot.table.flow import duplicate, matches, votes
from bot.table.flow.outbox_requests import add_members, retire_hands
from bot.table.flow.sealing import draw_seed, seal_anew
from bot.table.flow.seating import is_left_out, leave_out, note_stand_ins, take_places
from data.values import DealRow
from marriage.decide import start


async def begin_deal(tx: TableTransaction) -> None:
    """Deal the prepared deal to its players. Before that, listeners may still change seats and options."""
    await tx.hooks.announce_deal_begins(tx)
    if matches.is_over(tx):
        leave_out(tx, [row.seat for row in tx.seats if is_left_out(row)])
    before = {row.person_id for row in tx.seats}
    take_places(tx)
    add_members(tx, before)
    note_stand_ins(tx)
    players = len(tx.seats)
    if tx.following.board_set is not None and not await duplicate.still_plays(tx):
        seal_anew(tx, draw_seed(), tx.following.rules, dealer=tx.following.dealer % players)
        tx.update(dealer=tx.following.dealer)
    tx.set_entropy(await _entropy(tx, tx.following, players))
    deal = tx.following
    seed = deal.secret
    if _is_first(tx, deal):
        deal = replace(deal, dealer=seed.first_dealer(deal.rules, players))
        tx.prepare(deal)
        tx.update(dealer=deal.dealer)
    terms = await matches.enter(tx)
    retire_hands(tx, partial(tx.hooks.played_in, tx.table.id))
    votes.clear(tx)
    tx.deadlines.clear()
    tx.update(deal_no=deal.deal_no, status="playing", ended=None)
    tx.state = None
    dealt = start(
        deal.rules,
        players,
        deal.dealer,
        seed,
        better=terms.better,
        carry=terms.carry,
        board=deal.board_set is not None,
    )
    tx.record(dealt, actor=None)


async def _entropy(tx: TableTransaction, deal: DealRow, players: int) -> list[str]:
    """Return the contributions of the seats to the deal, or for a board those of the players of all its tables."""
    if deal.board_set is None:
        return complete(deal.entropy, deal.rules.playing_order(players, deal.dealer))
    return await duplicate.closed_entropy(await tx.database(), deal)


def _is_first(tx: TableTransaction, deal: DealRow) -> bool:
    """Whether the first dealer has to be drawn. In a league the draw decides that, and a board has its own dealer."""
    return deal.deal_no == 1 and deal.board_set is None and tx.table.kind.finds_first_dealer
