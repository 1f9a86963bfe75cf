"""Stronger computers: **Play now** seats casual ones until its player has won against them, and then asks once."""

from bot.table.core.change import TableHooks, TableTransaction
from bot.table.lobby import PLAY_NOW_LEVEL
from data.preferences import PersonSettings
from league.ids import TableId


def follow(hooks: TableHooks) -> None:
    """Ask after the first deal that a player wins against casual computers alone."""
    hooks.deal_ended.append(_ask_winner)


def is_asked(settings: PersonSettings, table_id: TableId, deal_no: int) -> bool:
    """Whether this person is asked after this deal, and has not answered yet."""
    return settings.play_now_level is None and settings.asked_stronger == (table_id, deal_no)


async def _ask_winner(tx: TableTransaction) -> None:
    """Record the deal after which the winner is asked, so that later deals do not ask again."""
    sheet = tx.state.sheet if tx.state is not None else None
    if sheet is None or sheet.winner is None:
        return
    winner = tx.seats[sheet.winner]
    others = [seat for seat in tx.seats if seat is not winner]
    if winner.person_id is None or not winner.present:
        return
    if any(seat.person_id is not None or seat.computer != PLAY_NOW_LEVEL for seat in others):
        return
    db = await tx.database()
    person = await db.people.get(winner.person_id)
    if person is None or person.settings.play_now_level or person.settings.asked_stronger:
        return
    asked = person.settings.model_copy(update={"asked_stronger": (tx.table.id, tx.deal_no)})
    await db.people.set_settings(winner.person_id, asked)
