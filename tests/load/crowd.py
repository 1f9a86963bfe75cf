"""What the crowd presses: one real press after another, chosen at random from what the players can press."""

import asyncio
from collections import Counter
from collections.abc import Callable
from random import Random

from playground.model import Message
from tests.load import panels
from tests.load.judging import a_hand, a_move, a_table, anything
from tests.load.panels import Choice, offers
from tests.load.presses import Aim, Press, Presses
from tests.load.tables import Player, Table, Tables, forget

MIX = {"move": 50, "hand": 15, "more": 8, "ledger": 5, "pile": 4, "hint": 6, "arrange": 8, "typed hand": 4}
"""The percentage of each kind of press.

A move is whatever the hand asks for, or Next deal if a deal is over.
"""
TRIES = 12
PAUSE_S = 0.5
"""The shortest pause between an answer and the person's next press, if someone else can press."""


class Crowd:
    """Everyone at the tables.

    Each press is the next thing that one person does; no one waits for the others.
    """

    def __init__(self, presses: Presses, tables: Tables, chance: Random) -> None:
        self._presses = presses
        self.tables = tables
        self._chance = chance
        self._loop = asyncio.get_running_loop()
        self._kinds = list(MIX)
        self._weights = list(MIX.values())
        self.replaced: Counter[str] = Counter()
        """The presses that no one could make at that moment; a look at the hand replaced them."""
        self._ways: dict[str, Callable[[float], Press | None]] = {
            "move": self.move,
            "hand": self._hand,
            "more": self._more,
            "ledger": self._ledger,
            "pile": lambda due: self._words("pile", due),
            "hint": lambda due: self._words("hint", due),
            "arrange": self._arrange,
            "typed hand": self._typed,
        }

    def press(self, due: float) -> Press:
        """Press something, chosen by the mix."""
        kind = self._chance.choices(self._kinds, self._weights)[0]
        press = self._ways[kind](due)
        if press is None:
            self.replaced[kind] += 1
            press = self._hand(due)
        if press is None:
            raise RuntimeError("nobody has anything to press")
        return press

    def _somebody(self, fits: Callable[[Player], object]) -> Player | None:
        """Return a random player that fits, preferably one not waiting for an answer; None if no one fits."""
        for _ in range(TRIES):
            player = self._chance.choice(self.tables.players)
            if self._is_free(player) and fits(player):
                return player
        fitting = [player for player in self.tables.players if fits(player)]
        idle = [player for player in fitting if self._is_free(player)]
        return self._chance.choice(idle or fitting) if fitting else None

    def _is_free(self, player: Player) -> bool:
        """Return whether the player waits for no answer and has looked at the last one for a moment."""
        return not player.under_way and player.answered_at + PAUSE_S < self._loop.time()

    def _do(
        self, aim: Aim, player: Player, message: Message | None, choice: Choice | None, due: float
    ) -> Press | None:
        if message is None or choice is None:
            return None
        player.under_way += 1
        return self._presses.press(_counted(aim, player), player.user, message, choice, due)

    # Moves ----------------------------------------------------------------------------------------

    def move(self, due: float) -> Press | None:
        """Make a move that someone is asked for, and return its press; None if no one is asked for one."""
        waiting = [table for table in self.tables.all if table.waiting]
        if waiting:
            return self._go_on(self._chance.choice(waiting), due)
        player = self._somebody(lambda player: player.asked and not player.moving)
        if player is None:
            return None
        player.moving = True
        aim = Aim("move", a_move(player.table.number), lambda *_: self._moved(player))
        return self._do(aim, player, player.played, panels.move(offers(player.played)), due)

    def _moved(self, player: Player) -> None:
        player.moving = False
        if not player.is_at_table:
            player.put_away()

    def _go_on(self, table: Table, due: float) -> Press | None:
        player = table.waiting.pop()

        def ask_again(press: Press, _: Message | None) -> None:
            if press.fault and "next" in table.offered:
                table.waiting.add(player)

        aim, choice = Aim("move", a_table, ask_again), Choice(table.offered["next"])
        return self._do(aim, player, table.message, choice, due)

    # Looks ----------------------------------------------------------------------------------------

    def _hand(self, due: float) -> Press | None:
        player = self._somebody(lambda player: "hand" in player.table.offered)
        if player is None:
            return None
        aim = Aim("hand", a_hand(player.table.number), player.opened)
        return self._do(aim, player, player.table.message, Choice(player.table.offered["hand"]), due)

    def _typed(self, due: float) -> Press | None:
        player = self._somebody(lambda player: "hand" in player.table.offered)
        if player is None:
            return None
        player.under_way += 1
        aim = Aim("typed hand", a_hand(player.table.number), player.opened)
        return self._presses.command(
            _counted(aim, player), player.user, player.table.channel, "marriage hand", due
        )

    def _more(self, due: float) -> Press | None:
        """Open the tools of the private panel, or return to its hand."""
        player = self._somebody(lambda player: player.panel is not None and not player.under_way)
        if player is None:
            return None
        offered = offers(player.panel)
        opens = offered.get("refresh") or offered.get("more")
        choice = None if opens is None else Choice(opens)
        return self._do(Aim("more", a_hand(player.table.number)), player, player.panel, choice, due)

    def _ledger(self, due: float) -> Press | None:
        player = self._somebody(lambda player: "ledger" in player.table.offered)
        if player is None:
            return None
        aim = Aim("ledger", anything, _thrown_away)
        return self._do(aim, player, player.table.message, Choice(player.table.offered["ledger"]), due)

    def _words(self, verb: str, due: float) -> Press | None:
        """Show a hint or the pile in the message of the hand, and return to the hand at once."""
        player = self._somebody(lambda player: verb in offers(player.played))
        if player is None:
            return None

        def back(_press: Press, message: Message | None) -> None:
            if (hand := offers(message).get("refresh")) is not None:
                aim = Aim("more", a_hand(player.table.number))
                self._do(aim, player, message, Choice(hand), self._loop.time())

        choice = Choice(offers(player.played)[verb])
        return self._do(Aim(verb, anything, back), player, player.played, choice, due)

    def _arrange(self, due: float) -> Press | None:
        """Take one step in arranging cards in the private panel."""
        player = self._somebody(lambda player: player.panel is not None and not player.under_way)
        if player is None:
            return None
        choice = panels.arrangement(offers(player.panel), self._chance)
        return self._do(Aim("arrange", a_hand(player.table.number)), player, player.panel, choice, due)


def _counted(aim: Aim, player: Player) -> Aim:
    """Return the same aim, after which the player counts as no longer waiting."""

    def then(press: Press, message: Message | None) -> None:
        player.under_way -= 1
        player.answered_at = press.complete or press.due
        aim.then(press, message)

    return Aim(aim.kind, aim.judge, then)


def _thrown_away(_press: Press, message: Message | None) -> None:
    if message is not None and message.only_for is not None:
        forget(message)
