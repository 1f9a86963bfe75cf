"""The buttons of a table's message, a hand and **More** in each state; there are never too many.

`pytest -s` prints them.
"""

import pytest

from bot.app import TipluBot
from bot.panels.table.more import more_panel
from bot.people import NamedPerson
from bot.table.core.snapshot import Snapshot
from bot.table.hosting import Actor
from bot.ui.panel import Panel
from bot.words.texts import texts
from marriage.rules import SEATS_MAX, preset
from marriage.state import Phase
from marriage.strategy.players import GreedyPlayer
from tests.bot.test_match_panels import GITA, RAM, SITA, begin, play
from tests.bot.test_panels import BUTTON, asked, checked, parts
from tests.bot.windows import move

pytestmark = pytest.mark.usefixtures("decided")

HOST, STAFF = Actor(RAM), Actor(NamedPerson(9, "Hari"), is_staff=True)
MOST_ON_THE_MESSAGE = 5
MOST_IN_A_VOTE = MOST_ON_THE_MESSAGE + 2
MOST_BESIDE_CARDS = 10
"""The most buttons of a hand during its deal, besides cards: two rows of moves and tools."""
MOST_AFTER_A_DEAL = 5
MOST_BEHIND_MORE = 10

TABLE = {
    "first lobby": ["Simple", "Full Kathmandu", "Join", "Start", "More"],
    "lobby": ["Join", "Start", "Leave", "More"],
    "lobby, alone": ["Join", "Start", "Leave", "More"],
    "lobby, full": ["Join (off)", "Start", "Leave", "More"],
    "challenge": ["Simple", "Full Kathmandu", "Join", "Start (off)", "More"],
    "turn": ["My hand", "Ledger", "Sit down", "Leave or end…", "More"],
    "paused": ["My hand", "Ledger", "Sit down", "Leave or end…", "More"],
    "vote": ["My hand", "Ledger", "Sit down", "Leave or end…", "More", "End the deal", "Play on"],
    "after a deal": ["Next deal", "My hand", "Ledger", "Replay", "More"],
    "after a match": ["Rematch", "My hand", "Ledger", "Replay", "More"],
    "closed": ["Replay", "Analyse", "Fair shuffle"],
}
HAND = {
    "turn": ["Draw from the stock", "Take", "Sort", "Pile", "More"],
    "turn, to discard": ["Sort", "Pile", "More"],
    "not your turn": ["Sort", "Pile", "More"],
    "paused": ["Draw from the stock", "Take", "Refresh", "Sort", "Pile", "More"],
    "after a deal": ["Next deal", "Ledger", "Replay", "More"],
    "after a match": ["Rematch", "Ledger", "Replay", "More"],
}


def labels(panel: Panel) -> list[str]:
    """Return the labels of a panel's buttons except those of cards, with "(off)" for disabled ones."""
    found = []
    for part in parts(checked(panel).components):
        if part["type"] != BUTTON or part["custom_id"].startswith("mr1:discard:"):
            continue
        label = "Take" if part["custom_id"].startswith("mr1:take:") else part["label"]
        found.append(f"{label} (off)" if part.get("disabled") else label)
    return found


class Looks:
    """Plays at one table, and records the buttons in each state."""

    def __init__(self, bot: TipluBot, table_id: int) -> None:
        self._bot = bot
        self._services = bot.services
        self._table_id = table_id
        self._player = GreedyPlayer(count_outs=False)
        self.table: dict[str, list[str]] = {}
        self.hands: dict[str, list[str]] = {}
        self.more: dict[str, list[str]] = {}

    async def snapshot(self) -> Snapshot:
        return await self._services.tables.snapshot(self._table_id)

    async def look(self, state: str, seat: int | None = None) -> None:
        """Record the buttons of the table's message, of its **More**, and of the hand of a seat."""
        snapshot = await self.snapshot()
        self.table[state] = labels(await self._bot.delivery.publisher.table_panel(snapshot))
        for who, actor in (("host", HOST), ("player", Actor(SITA)), ("staff", STAFF)):
            self.more[f"{state}, {who}"] = labels(more_panel(snapshot, actor, texts()))
        if seat is not None:
            await self.look_at(state, seat)

    async def look_at(self, state: str, seat: int) -> None:
        self.hands[state] = labels(await self._bot.delivery.publisher.hand_panel(await self.snapshot(), seat))

    async def turn(self) -> int:
        return (await asked(self._bot, self._table_id))[0]

    async def step(self) -> None:
        person = (await self.snapshot()).seats[await self.turn()].person_id
        await move(self._services, self._table_id, person, self._player.choose)

    async def play_out(self) -> None:
        while (await self.snapshot()).table.status == "playing":
            await self.step()

    def printed(self) -> str:
        lines: list[str] = []
        for what, found in (("Table", self.table), ("Hand", self.hands), ("More", self.more)):
            lines.append(f"\n{what}")
            lines += [f"  {state:24} {len(shown):2}  {' · '.join(shown)}" for state, shown in found.items()]
        return "\n".join(lines)


async def in_lobbies(bot: TipluBot) -> Looks:
    """Look at a challenge, then at an open table from its first question to its last free seat; two people stay there."""
    services = bot.services
    await services.store.write(lambda db: db.guilds.keep(900))
    invited = Looks(bot, await services.lobby.open(900, 901, SITA, 1, invited=[RAM]))
    await invited.look("challenge")
    await services.lobby.leave(1, SITA.id)
    looks = Looks(bot, await services.lobby.open(900, 901, RAM, 2))
    looks.table |= invited.table
    await looks.look("first lobby")
    await services.servers.change(900, RAM, rules=preset("pagat"))
    await looks.look("lobby, alone")
    await services.lobby.join(2, SITA, 3)
    await looks.look("lobby")
    for number in range(SEATS_MAX - 2):
        await services.hosting.add_computer(2, HOST, 10 + number)
    await looks.look("lobby, full")
    for seat in (await looks.snapshot()).seats[2:]:
        await services.hosting.remove_computer(2, HOST, seat.name, 20 + seat.seat)
    await services.hosting.set_terms(2, HOST, lambda terms: terms.model_copy(update={"deals": 2}), 30)
    return looks


async def test_the_buttons_of_each_state_are_few_and_these(bot: TipluBot):
    looks, services = await in_lobbies(bot), bot.services
    await services.play.start(2, RAM.id, 31)
    while (view := (await looks.snapshot()).public) is not None and view.phase is Phase.WINDOW:
        await looks.step()
    seat = await looks.turn()
    await looks.look("turn", seat)
    await looks.look_at("not your turn", 1 - seat)
    await services.pauses.lost(2)
    await looks.look("paused", seat)
    await services.pauses.shown(2)
    await services.endings.ask(2, RAM.id, 32)
    await looks.look("vote")
    await services.endings.refuse(2, SITA.id, (await looks.snapshot()).table.revision, 33)
    await looks.step()
    await looks.look_at("turn, to discard", seat)
    await looks.play_out()
    await looks.look("after a deal", 0)
    for person in (RAM, SITA):
        await services.play.next_deal(2, person.id, 40 + person.id)
    await looks.play_out()
    await looks.look("after a match", 0)
    await services.play.finish_table(2, RAM.id)
    await looks.look("closed")
    print(looks.printed())

    assert looks.table == TABLE
    assert looks.hands == HAND
    for state, shown in looks.table.items():
        assert len(shown) <= (MOST_IN_A_VOTE if state == "vote" else MOST_ON_THE_MESSAGE), state
    for state, shown in looks.hands.items():
        assert len(shown) <= (MOST_AFTER_A_DEAL if "after" in state else MOST_BESIDE_CARDS), state
    assert all(len(shown) <= MOST_BEHIND_MORE for shown in looks.more.values())


async def test_who_has_left_between_deals_may_sit_down_again_and_decides_nothing(bot: TipluBot):
    await begin(bot, preset("pagat"), deals=0)
    await play(bot)
    await bot.services.leaving.leave(1, GITA.id, 30)
    snapshot = await bot.services.tables.snapshot(1)
    stays, has_left = [labels(more_panel(snapshot, Actor(person), texts())) for person in (SITA, GITA)]
    assert stays[:4] == ["Sit out", "Leave", "Close table", "How to play"]
    assert has_left[:2] == ["Sit down", "How to play"]
    assert stays[4:] == has_left[2:]
