"""People who play whole deals realistically: they look at their panel and press what it offers.

They know nothing else. They identify a button by its purpose in any language, and call it by its English
name.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.words.texts import CATALOGUES, catalogue, texts
from marriage.cards import Card
from playground.model import Message
from playground.person import BotAnswer, CannotDoError, Person
from playground.server import Playground
from playground.shown import Shown, ShownButton

PATIENCE = 30.0

say = texts()
JOIN, LEAVE, COMPUTER, START = (say(f"button.{key}") for key in ("join", "leave", "computer", "start"))
SIT, SIT_OUT = (say(f"button.{key}") for key in ("sit", "sit_out"))
QUIT, LEAVE_DEAL = (say(f"button.{key}") for key in ("quit", "leave_deal"))
READY, MANAGE, TABLE_RULES = (say(f"button.{key}") for key in ("ready", "manage", "table_rules"))
HAND, NEXT, CLOSE, RULES, REFRESH, MORE, OTHERS = (
    say(f"button.{key}") for key in ("hand", "next", "close", "rules", "refresh", "more", "others")
)
DRAW, KEEP, CUT = (say(f"button.{key}") for key in ("draw", "keep", "cut"))
FINISH, SHOW, DUBLEES = (say(f"button.{key}") for key in ("finish", "show", "dublees"))
EXPOSE, DISCARD = say("hand.expose"), say("hand.discard")
EXPOSE_ONE = "Expose …"
OVER = say("hand.over")
OVER_IN_WORDS = [catalogue(path.stem)("hand.over") for path in CATALOGUES.glob("*.toml")]

BEST_FIRST = (FINISH, SHOW, DUBLEES, CUT, EXPOSE_ONE, DRAW, KEEP)
VERBS = {
    label: re.compile(rf"mr1:{verb}:")
    for label, verb in (
        (FINISH, "finish"),
        (SHOW, "show"),
        (DUBLEES, "dublees"),
        (CUT, "cut"),
        (DRAW, "draw"),
        (KEEP, "decline"),
        (EXPOSE_ONE, "expose"),
        (EXPOSE, "pick-expose"),
        (DISCARD, "pick-discard"),
    )
}
_COMPUTER, _MORE = re.compile("mr1:computer:"), re.compile("mr1:(table-)?more:")
CARD_BUTTON = re.compile(r"mr1:discard:\d+:\d+:\w+$")
TYPED: dict[str, tuple[str, dict[str, bool]]] = {
    FINISH: ("finish", {}),
    SHOW: ("show", {}),
    DUBLEES: ("show", {"dublees": True}),
    CUT: ("cut", {}),
    DRAW: ("draw", {}),
    KEEP: ("tunnela", {}),
}


def be_patient() -> None:
    """Make people of a separate run as patient as those of the tests; a busy machine fails nothing."""
    for method in (Person.wait_for, Person.sees):
        method.__defaults__ = (*(method.__defaults__ or ())[:-1], PATIENCE)


async def open_table(host: Person, *others: Person, computers: int = 0) -> Shown:
    """Open a table in the host's channel with these people and so many computers, without starting it."""
    table = (await host.slash("marriage play")).message
    for person, label in [
        *((other, JOIN) for other in others),
        *((host, _COMPUTER) for _ in range(computers)),
    ]:
        before = host.look(table).text
        await press_tool(person, table, label)
        await host.wait_for(lambda before=before: host.look(table).text != before)
    return host.look(table)


async def set_match(host: Person, table: Shown | Message, deals: int, pace: str | None = None) -> Shown:
    """Choose the deals of the match, and a clock, in the rules of a table; returns the panel."""
    panel = (await press_tool(host, table, TABLE_RULES)).message
    for option, value in (("deals", str(deals)), ("pace", pace)):
        if value is not None:
            select = re.compile(rf"mr1:pick-rule:[0-9]+:[0-9]+:{option}$")
            panel = (await host.choose(select, [value], message=panel)).message
    return panel


async def write_rules(host: Person, table: Shown, text: str, preset: str | None = None) -> Shown:
    """Fill in the form for experts; returns its answer."""
    panel = (await press_tool(host, table, TABLE_RULES)).message
    await host.press(say("button.rules_as_text"), message=panel)
    answers: dict[str, object] = {"others": text} | ({"preset": [preset]} if preset else {})
    return (await host.submit(answers)).message


def panel_in_dm(person: Person) -> Shown | None:
    """Return the hand in the person's direct messages."""
    lasting = [message for message in person.dm() if not message.ephemeral]
    return lasting[-1] if lasting else None


def text_in_dm(person: Person) -> str:
    """Return the text of the hand in the person's direct messages, or "" without one."""
    panel = panel_in_dm(person)
    return panel.text if panel else ""


def button_in_dm(person: Person, wanted: str) -> ShownButton | None:
    """Return a button of the hand in the person's direct messages, if it exists."""
    panel = panel_in_dm(person)
    return panel.button(wanted) if panel else None


async def press_in_dm(person: Person, wanted: str) -> BotAnswer:
    """Press a button of the hand in the direct messages, as soon as it can be pressed."""

    def can_be_pressed() -> bool:
        button = button_in_dm(person, wanted)
        return button is not None and not button.disabled

    await person.wait_for(can_be_pressed, timeout=PATIENCE)
    return await person.press(wanted, message=panel_in_dm(person))


def is_asked(panel: Shown | None) -> bool:
    """Return True if a panel offers a move."""
    if panel is None:
        return False
    return can_discard(panel) or any(move_of(panel, label) for label in BEST_FIRST)


def is_in_window(panel: Shown) -> bool:
    """Return True if a tunnela may be exposed until the window closes, which may happen at any moment."""
    exposes = move_of(panel, EXPOSE_ONE) or panel.select(VERBS[EXPOSE]) is not None
    return exposes and not any(move_of(panel, label) for label in (KEEP, DRAW))


def move_of(panel: Shown, label: str) -> bool:
    button = panel.button(VERBS[label])
    return button is not None and not button.disabled


def can_discard(panel: Shown) -> bool:
    return bool(discards(panel))


def discards(panel: Shown) -> list[str]:
    """Return the cards that a panel offers to discard, in order, from its buttons or its select's options."""
    if (select := panel.select(VERBS[DISCARD])) is not None:
        return select.values
    return [button.custom_id.rpartition(":")[2] for button in panel.buttons if _is_card(button)]


def _is_card(button: ShownButton) -> bool:
    return (
        button.custom_id is not None
        and CARD_BUTTON.match(button.custom_id) is not None
        and not button.disabled
    )


async def throw(person: Person, panel: Shown, card: str) -> Shown:
    """Discard a card that the panel offers, maybe only among the other cards; returns the panel afterwards."""
    if card not in discards(panel):
        panel = (await person.press(OTHERS, message=panel)).message
    if panel.select(VERBS[DISCARD]) is not None:
        return (await person.choose(VERBS[DISCARD], [card], message=panel)).message
    return (await person.press(re.compile(rf"mr1:discard:.*:{card}$"), message=panel)).message


async def press_tool(person: Person, panel: Shown | Message, label: str | re.Pattern[str]) -> BotAnswer:
    """Press a button of a table or a hand, which may be behind **More**."""
    panel = person.look(panel)
    if panel.button(label) is None:
        panel = (await person.press(_MORE, message=panel)).message
    return await person.press(label, message=panel)


def is_over(panel: Shown | None) -> bool:
    return panel is not None and any(words in panel.text for words in OVER_IN_WORDS)


@dataclass(frozen=True)
class Played:
    """A player's action, named by its button or select, and their panel afterwards."""

    what: str
    panel: Shown


async def act(person: Person, panel: Shown) -> Played:
    """Press or choose the panel's most sensible option."""
    if (tunnelas := panel.select(VERBS[EXPOSE])) is not None:
        answer = await person.choose(VERBS[EXPOSE], tunnelas.values, message=panel)
        return Played(EXPOSE, answer.message)
    for label in BEST_FIRST:
        if move_of(panel, label):
            return Played(label, (await person.press(VERBS[label], message=panel)).message)
    cards = discards(panel)
    assert cards, f"nothing to do in {panel!r}"
    return Played(DISCARD, await throw(person, panel, least_useful(cards)))


async def type_act(person: Person, panel: Shown) -> Played:
    """Do the same with a typed command, choosing its cards from the autocomplete options."""
    if panel.select(VERBS[EXPOSE]) is not None or move_of(panel, EXPOSE_ONE):
        card = (await _offered(person, "marriage tunnela"))[0]
        return Played(EXPOSE, (await person.slash("marriage tunnela", card=card)).message)
    for label in BEST_FIRST:
        if move_of(panel, label):
            name, options = TYPED[label]
            return Played(label, (await person.slash(f"marriage {name}", **options)).message)
    card = least_useful(await _offered(person, "marriage discard"))
    return Played(DISCARD, (await person.slash("marriage discard", card=card)).message)


async def _offered(person: Person, command: str) -> list[str]:
    """Return the cards that can be typed; raises CannotDoError if the panel is outdated and offers none."""
    offers = await person.autocomplete(command, focused="card")
    if not offers:
        raise CannotDoError(f"{command} offers {person.user.name} no card")
    return [offer["value"] for offer in offers]


def least_useful(values: Sequence[str]) -> str:
    """Return the card with the fewest neighbours of its suit among the others; the last such card."""
    cards = [Card.parse(value) for value in values]

    def neighbours(card: Card) -> int:
        near = [other for other in cards if other.suit == card.suit and 0 < abs(other.rank - card.rank) <= 2]
        return len(near)

    return min(reversed(values), key=lambda value: neighbours(Card.parse(value)))


async def play_by_buttons(person: Person, most: int | None = None) -> list[Played]:
    """Play from the direct message until the deal is over, or for so many moves."""
    played: list[Played] = []
    while most is None or len(played) < most:
        panel = await next_panel(person)
        if is_over(panel):
            break
        played.append(await act(person, panel))
    return played


async def two_playing(discord: Playground) -> tuple[Person, Person, Shown]:
    """Start a deal of Asha and Bikram; return them and the table.

    Asha, the second to act, is to draw.
    """
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await play_by_buttons(bikram, 2)
    await next_panel(asha)
    await asha.wait_for(lambda: "**Asha** draws next" in asha.look(table).text)
    return asha, bikram, table


async def next_panel(person: Person) -> Shown:
    """Wait until the hand in the direct messages asks for a move after the window, or says that the deal is over."""

    def asked() -> Shown | None:
        panel = panel_in_dm(person)
        return panel if (is_asked(panel) and not is_in_window(panel)) or is_over(panel) else None

    panel = await person.wait_for(asked, timeout=PATIENCE)
    assert panel is not None
    return panel


async def play_by_typing(person: Person, table: Shown, most: int | None = None) -> list[Played]:
    """Watch the table and type when it is the person's turn, until the deal is over or for so many moves."""
    name = person.user.shown_name
    turn = re.compile(rf"\*\*{name}\*\*(?: draws| has| showed)|waiting for .*{name}")
    played: list[Played] = []
    while most is None or len(played) < most:
        seen = await person.wait_for(lambda: _calls(person.look(table), turn), timeout=PATIENCE)
        if seen.button(NEXT):
            break
        panel = (await person.slash("marriage hand")).message
        while is_asked(panel) and (most is None or len(played) < most):
            played.append(await type_act(person, panel))
            panel = played[-1].panel
        await person.wait_for(lambda seen=seen: person.look(table).text != seen.text, timeout=PATIENCE)
    return played


def _calls(table: Shown, turn: re.Pattern[str]) -> Shown | None:
    return table if table.button(NEXT) or turn.search(table.text) else None


async def open_settings(person: Person, subject: str = "general") -> Shown:
    """Open `/settings` at one of its pages."""
    panel = (await person.slash("settings")).message
    return panel if subject == "general" else await turn_settings(person, panel, subject)


async def turn_settings(person: Person, panel: Shown, subject: str) -> Shown:
    """Turn to another page of `/settings`."""
    return (await person.choose("mr1:pick-settings:0:0", [subject], message=panel)).message


async def open_setup(person: Person, subject: str = "server") -> Shown:
    """Open `/setup show` at one of its pages."""
    panel = (await person.slash("setup show")).message
    if subject == "server":
        return panel
    return (await person.choose("mr1:pick-setup:0:0", [subject], message=panel)).message


def action_rows(panel: Shown) -> int:
    """Count a message's rows of buttons and selects."""
    return sum(part["type"] == 1 for part in panel.components)
