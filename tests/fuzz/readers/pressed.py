"""The readers of what Discord sends for presses and forms, and of the contents of custom ids."""

import json
from functools import partial
from typing import Any

from bot.errors import UnexpectedInputError, UserError
from bot.history.past_deals import Asked, begin_of, read_asked
from bot.history.replays import PlaceInReplay, read_eyes
from bot.interactions.payload import Component, a_snowflake, read_bare, read_envelope, read_form
from bot.panels.history.leaderboard import BoardChoice
from bot.panels.league.wizard import LeaguePlan
from bot.panels.table.rules import Filled
from bot.ui.items import BUTTON_TEMPLATE, FORM_TEMPLATE, SELECT_TEMPLATE, Press
from bot.words.numbers import base36, read_id, read_number
from bot.words.texts import emoji_name, read_emoji_name
from cogs.league.replies import read_pace
from data.preferences import GuildSettings, Pace
from league.templates import TEMPLATES
from tests.fuzz.readers.reader import PRESSED, Reader, of_json

LONGEST_ARGUMENT = 40
PAYLOAD = 20_000
BUTTON, PICK, FORM = "mr1:discard:7:3:5H", "mr1:pick-invite:7:3", "mr1:form-say:7:3:a_b-c"
SELECT = {"type": 5, "custom_id": PICK, "options": [{"value": "7"}]}
PRESSES = (
    {
        "data": {"component_type": 2, "custom_id": BUTTON},
        "message": {"components": [{"type": 2, "custom_id": BUTTON}]},
    },
    {
        "data": {
            "component_type": 5,
            "custom_id": PICK,
            "values": ["7"],
            "resolved": {"users": {"7": {"username": "asha"}}, "members": {"7": {"nick": "Asha"}}},
        },
        "message": {"components": [{"type": 1, "components": [SELECT]}]},
    },
)
ENVELOPE = {
    "id": "1",
    "application_id": "2",
    "token": "forged",
    "type": 3,
    "version": 1,
    "locale": "ne",
    "guild_id": "900",
    "member": {"user": {"id": "7"}},
    "message": {"flags": 64},
}
FILLED = {
    "custom_id": FORM,
    "components": [
        {"component": {"custom_id": "a", "value": "राम"}},
        {"component": {"custom_id": "b", "values": ["1"]}},
        {"component": {"custom_id": "c", "value": True}},
    ],
}


def _component(value: Any) -> Component:
    found = value if isinstance(value, dict) else {}
    return Component.read(found.get("data"), found.get("message"))


def _press(argument: str) -> Press:
    return Press("replay", 7, 3, argument)


READERS = (
    *(
        Reader(
            Press.parse,
            partial(Press.parse, template=template),
            (),
            (sample,),
            PRESSED,
            str,
            of_what=sample.split(":")[1],
        )
        for template, sample in ((BUTTON_TEMPLATE, BUTTON), (SELECT_TEMPLATE, PICK), (FORM_TEMPLATE, FORM))
    ),
    Reader(
        Component.read, of_json(_component), UnexpectedInputError, tuple(map(json.dumps, PRESSES)), PAYLOAD
    ),
    Reader(read_envelope, of_json(read_envelope), UnexpectedInputError, (json.dumps(ENVELOPE),), PAYLOAD),
    Reader(read_bare, of_json(read_bare), UnexpectedInputError, (json.dumps(ENVELOPE),), PAYLOAD),
    Reader(read_form, of_json(read_form), UnexpectedInputError, (json.dumps(FILLED),), PAYLOAD),
    Reader(a_snowflake, lambda text: a_snowflake(text, "an id"), UnexpectedInputError, ("7",), write=str),
    Reader(read_number, lambda text: read_number(text, 9), (), ("042",), write=str),
    Reader(read_id, read_id, (), ("1400000000000000000",), write=str),
    Reader(base36, lambda text: base36(min(len(text), 9)), (), ("a",)),
    Reader(
        PlaceInReplay.of,
        lambda text: PlaceInReplay.of(_press(text)),
        UserError,
        ("12-all", "0-3-last", ""),
        LONGEST_ARGUMENT,
        lambda place: place.press("replay").argument,
    ),
    Reader(read_eyes, read_eyes, UserError, ("all", "public", "4"), LONGEST_ARGUMENT, str),
    Reader(
        read_asked,
        lambda text: read_asked(_press(text)),
        UserError,
        ("own-0-0-0", "all-zz-2-1"),
        LONGEST_ARGUMENT,
        lambda asked: asked.press("history").argument,
    ),
    Reader(
        Asked.of,
        lambda text: Asked.of("own", None, None, text or None, None),
        UserError,
        ("pagat", ""),
    ),
    Reader(begin_of, lambda text: begin_of(text, 0), UserError, ("week",)),
    Reader(
        BoardChoice.read,
        BoardChoice.read,
        UserError,
        ("points-all", BoardChoice().argument),
        LONGEST_ARGUMENT,
        lambda choice: choice.argument,
    ),
    Reader(
        LeaguePlan.read,
        LeaguePlan.read,
        UserError,
        tuple(str(LeaguePlan.new(template, GuildSettings())) for template in TEMPLATES.values()),
        LONGEST_ARGUMENT,
        str,
    ),
    Reader(Filled.of_argument, lambda text: Filled.of_argument(text, ""), (), ("pagat",), LONGEST_ARGUMENT),
    Reader(read_pace, read_pace, UserError, tuple(Pace), LONGEST_ARGUMENT, str),
    Reader(
        read_emoji_name,
        read_emoji_name,
        (),
        ("tiplu_10_of_clubs_v1", "tiplu_man_v2"),
        32,
        lambda found: emoji_name(found.card, found.drawing),
    ),
)
