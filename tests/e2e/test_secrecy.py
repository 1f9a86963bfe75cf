"""Across whole deals: no message, button, option, file name or alt text tells anybody a card that they may not know.

Everything that Discord was ever given is kept with the moment it came; what its readers may have known at that moment
is worked out from the masked events, apart from the code that draws.
"""

import asyncio
import json
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from marriage.actions import DeclineTunnelas, DrawStock
from marriage.cards import MAN, MASTER, RANKS, UNKNOWN, Card
from marriage.events import EVENT, Event
from marriage.view import mask
from playground.messages import walk
from playground.model import Change, Message
from playground.server import Playground
from tests.e2e.players import (
    CARD_BUTTON,
    HAND,
    NEXT,
    PATIENCE,
    START,
    open_table,
    play_by_buttons,
    play_by_typing,
)
from tests.e2e.running import Running
from tests.marriage.dealing import act, deal

SIGNED = re.compile(r"(10|[2-9AJQK])([♠♥♦♣])")
WORDED = re.compile(r"(10|[2-9AJQK]) of (Spades|Hearts|Diamonds|Clubs)")
BY_SUIT = re.compile(r"(Spades|Hearts|Diamonds|Clubs)((?: (?:10|[2-9AJQK])\b)+)")
TYPED = re.compile(r"(?:10|[2-9AJQK])[SHDC]")
SUITS = {"Spades": 0, "Hearts": 1, "Diamonds": 2, "Clubs": 3, "♠": 0, "♥": 1, "♦": 2, "♣": 3}
CUSTOM_ID = re.compile(r"mr1:[a-z-]{1,20}:[0-9]+:[0-9]+(:(computers|pagat|kathmandu))?")
FILE_NAME = re.compile(r"[0-9a-f]{16}\.png")


def card(rank: str, suit: str) -> Card:
    return Card(SUITS[suit] * 13 + RANKS.index(rank))


def cards_in(text: str) -> set[Card]:
    """Every card that a text names, in whichever way this bot names cards."""
    found = {card(rank, suit) for rank, suit in SIGNED.findall(text)}
    found |= {card(rank, suit) for rank, suit in WORDED.findall(text)}
    found |= {card(rank, suit) for suit, ranks in BY_SUIT.findall(text) for rank in ranks.split()}
    return found


@dataclass(frozen=True)
class Told:
    """One state of one message: who read it, what it said, and how much had happened by then."""

    db: int | None
    """The only person who saw it; None for everybody in the channel."""
    words: str
    values: tuple[str, ...]
    custom_ids: tuple[str, ...]
    file_names: tuple[str, ...]
    events: int
    deal_no: int


class Ear:
    """Hears every message, and reads the store's count of events at that moment."""

    def __init__(self, discord: Playground, bot: Running) -> None:
        self.told: list[Told] = []
        self._store = sqlite3.connect(f"file:{bot.bot.services.settings.database_path}?mode=ro", uri=True)
        self._stop = discord.world.subscribe(self._hear)

    def _hear(self, change: Change) -> None:
        if change.kind in ("message_create", "message_update") and change.subject.author.bot:
            self.told.append(self._as_told(change.subject))

    def _as_told(self, message: Message) -> Told:
        parts = list(walk(message.components))
        recipients = message.channel.recipients
        db = message.only_for or (recipients[0] if recipients else None)
        deal_no, events = self._store.execute(
            "SELECT deal_no, (SELECT count(*) FROM event WHERE event.deal_no = game_table.deal_no)"
            " FROM game_table WHERE id = 1"
        ).fetchone() or (0, 0)
        return Told(
            db=db.id if db else None,
            words="\n".join(_words(parts, message)),
            values=tuple(option["value"] for part in parts for option in part.get("options") or []),
            custom_ids=tuple(part["custom_id"] for part in parts if part.get("custom_id")),
            file_names=tuple(file.filename for file in message.attachments),
            events=events,
            deal_no=deal_no,
        )

    def close(self) -> None:
        self._stop()
        self._store.close()


def _words(parts: list[dict], message: Message) -> Iterator[str]:
    """Everything of a message that can be read, wherever it stands; what names its kind or place is left out."""
    yield message.content
    yield from (file.description or "" for file in message.attachments)
    for part in parts:
        yield from (str(part.get(key) or "") for key in ("content", "label", "placeholder", "description"))
        yield from (item.get("description") or "" for item in part.get("items") or [])
        for option in part.get("options") or []:
            yield f"{option['label']} {option.get('description') or ''}"


def known(events: list[Event], seat: int | None) -> set[Card]:
    """Every card that a seat (None: a spectator) has been told by these events."""
    found: set[Card] = set()
    for event in events:
        text = json.dumps(json.loads(EVENT.dump_json(mask(event, seat)))).replace('"rules"', "")
        found |= {Card.parse(name) for name in TYPED.findall(text)}
    return found - {UNKNOWN, MAN, MASTER}


def kin(cards: set[Card], tiplu: Card | None) -> set[Card]:
    """The cards that follow from a known tiplu: its poplu and jhiplu are named beside it."""
    if tiplu is None:
        return set()
    return {Card(tiplu.suit * 13 + (tiplu.rank + step) % 13) for step in (-1, 1)}


def tiplu_of(events: list[Event], seat: int | None) -> Card | None:
    for event in events:
        seen = getattr(mask(event, seat), "tiplu", None)
        if seen is None and event.event in ("tiplu_cut", "tiplu_seen", "tiplu_turned"):
            seen = mask(event, seat).card
        if seen is not None and seen != UNKNOWN:
            return seen
    return None


@pytest.fixture
def ear(discord, bot):
    ear = Ear(discord, bot)
    yield ear
    ear.close()


async def test_nobody_is_told_a_card_they_may_not_know(discord, bot, ear):
    asha, bikram, chandra = (discord.person(name) for name in ("asha", "bikram", "chandra"))
    table = await open_table(asha, bikram, computers=1)
    await asha.press(START, message=table)
    watching = asyncio.create_task(look_in(chandra, table))
    await asyncio.gather(play_by_buttons(asha), play_by_typing(bikram, table))
    await asha.wait_for(lambda: asha.look(table).button(NEXT), timeout=PATIENCE)
    await watching

    async with bot.store.reading() as db:
        events = await db.deals.events(1, 1)
        seats = {seat.person_id: seat.seat for seat in await db.tables.seats(1) if seat.person_id is not None}
    readers = {told.db for told in ear.told}
    assert readers == {None, asha.id, bikram.id, chandra.id}
    named = 0
    for told in ear.told:
        seat = None if told.db is None else seats.get(told.db)
        so_far = events[: told.events]
        may_know = known(so_far, seat)
        may_know |= kin(may_know, tiplu_of(so_far, seat))
        names = cards_in(told.words) | {Card.parse(value) for value in told.values if TYPED.fullmatch(value)}
        named_by_buttons = [custom_id for custom_id in told.custom_ids if CARD_BUTTON.match(custom_id)]
        names |= {Card.parse(custom_id.rpartition(":")[2]) for custom_id in named_by_buttons}
        assert names <= may_know, (told, names - may_know)
        others = set(told.custom_ids) - set(named_by_buttons)
        assert all(CUSTOM_ID.fullmatch(custom_id) for custom_id in others)
        assert all(FILE_NAME.fullmatch(name) for name in told.file_names)
        if told.db is None:
            assert told.values == ()
            assert named_by_buttons == []
        named += len(names)
    assert named > 200
    for person, seat in ((asha, seats[asha.id]), (bikram, seats[bikram.id])):
        hands = [told for told in ear.told if told.db == person.id and "Your hand" in told.words]
        assert set(events[0].hands[seat]) <= set.union(*(cards_in(told.words) for told in hands))


async def look_in(person, table) -> None:
    """A spectator who presses My hand whenever something changes gets no hand."""
    for _ in range(10):
        answer = await person.press(HAND, message=table)
        assert "You have no seat at table 1" in answer.message.text
        assert answer.message.files == []
        await person.world.changed()


def test_the_oracle_sees_cards_where_they_are_named():
    assert cards_in("10♠, Spades 2 3 K; Hearts 9 and 7 of Clubs") == {
        *map(Card.parse, ("10S", "2S", "3S", "KS", "9H", "7C"))
    }
    assert cards_in("Stock 110, pile 2. Clubs are black, 21 cards") == set()


def test_the_oracle_knows_what_each_may_know():
    _, events = deal(7, players=3)
    assert known(events, None) == {events[0].up_card}
    assert known(events, 1) == {events[0].up_card, *events[0].hands[1]}
    state, _ = deal(7, players=3)
    for seat in range(3):
        state, more = act(state, seat, DeclineTunnelas())
        events += more
    mover = state.turn
    state, more = act(state, mover, DrawStock())
    assert known(more, mover) == {more[0].card}
    assert known(more, (mover + 1) % 3) == known(more, None) == set()
