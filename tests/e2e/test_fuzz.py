"""Forged interactions over the wire: each is answered, affects no other person, and leaves no traceback.

This is a small part of `make fuzz`; the single cases below once raised errors.
"""

import logging
from collections import Counter

import pytest

from bot.delivery.discord_calls import open_dm
from bot.interactions.receiver import Pressed, Router
from data.preferences import PersonSettings
from playground import interaction_objects, message_objects
from playground.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, SUBMIT
from playground.model import Interaction
from tests.e2e.forging import button, forge, press_blindly, select
from tests.e2e.players import say
from tests.e2e.running import Watch
from tests.fuzz.__main__ import missing, of
from tests.fuzz.fuzzing import Fuzzing
from tests.fuzz.report import Broken, Report, together
from tests.tally import Tally

OUT_OF_DATE = say("error.out_of_date")
COUNT = 300


@pytest.fixture
def size():
    return {"guilds": 2}


@pytest.fixture(autouse=True)
def unjudged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not validate answers: Discord documents no schema for the answer to a press without a message."""
    monkeypatch.setattr("tests.e2e.conftest.OPENAPI", None)


async def test_forged_interactions_change_nothing_for_others(discord, path, caplog):
    caplog.set_level(logging.INFO)
    report = await Fuzzing(discord, path, number=7).run(COUNT)
    assert report.broken == []
    assert report.sent == COUNT
    assert report.odd.total() > COUNT / 10
    assert set(report.kinds) == {"press", "form", "use", "type"}


@pytest.mark.parametrize("each", [1, 4])
async def test_what_a_forgery_breaks_is_named_after_it(
    discord, path, caplog, monkeypatch, watch: Watch, each
):
    """Logged errors are always attributed; changes of others' data if each forgery is followed by a check."""
    caplog.set_level(logging.INFO)
    fuzzing = Fuzzing(discord, path, number=9)  # its third and fourth forgery are presses
    press, presses = Router.press, list[int]()

    async def break_something(router: Router, pressed: Pressed) -> None:
        """Fail on the first press; on the second, set another person's language to Nepali and write to them."""
        if (sent := fuzzing.sent.get(pressed.interaction_id)) is not None:
            presses.append(sent[0])
            if len(presses) == 1:
                raise RuntimeError("meant to fail")
            if len(presses) == 2:
                await pressed.interaction.client.services.store.write(
                    lambda db: db.people.set_settings(
                        discord.person("eshan").id, PersonSettings(language="ne")
                    )
                )
                channel = await open_dm(pressed.interaction.client, discord.person("eshan").id)
                await pressed.interaction.client.get_partial_messageable(channel).send("Spam")
        await press(router, pressed)

    monkeypatch.setattr(Router, "press", break_something)
    report = await fuzzing.run(4, each=each)
    failed, changed = presses[:2]
    [fault] = [fault for fault in report.broken if "meant to fail" in fault.what]
    assert fault.numbers == range(failed, failed + 1)
    changes = {fault.numbers for fault in report.broken if "another's" in fault.what}
    assert changes == {range(changed - changed % each, changed - changed % each + each)}
    assert any("Spam" in fault.what for fault in report.broken)
    watch.expect("meant to fail")
    assert report.unnamed == ([] if each == 1 else [*changes])


async def send(server, person, kind, data, envelope=None):
    """Let the gateway send an interaction that no Discord client sends; return it once it is answered."""
    world = person.world
    number = world.ids.new()
    interaction = Interaction(number, f"forged-{number}", kind, person.user, person.channel, data)
    world.interactions[number] = interaction
    server.interactions._by_token[interaction.token] = interaction
    payload = interaction_objects.interaction(world, interaction) | (envelope or {})
    for key in [key for key, value in payload.items() if value is ...]:
        del payload[key]
    for session in server.gateway.sessions.values():
        session.tell("INTERACTION_CREATE", payload)
    await person.wait_for(lambda: interaction.callback_type is not None)
    return interaction


def slash(name, *options, **more):
    group, _, inner = name.partition(" ")
    within = [{"name": inner, "type": 1, "options": list(options)}] if inner else list(options)
    return {"id": "1", "name": group, "type": 1, "options": within} | more


def option(name, kind, value, **more):
    return {"name": name, "type": kind, "value": value} | more


ODD = {
    "unknown command": (COMMAND, slash("nonsense")),
    "unknown subcommand": (COMMAND, slash("marriage nonsense")),
    "group without a command": (COMMAND, slash("marriage")),
    "options that are no list": (COMMAND, slash("help", options={"a": 1})),
    "a missing option": (COMMAND, slash("marriage discard")),
    "an option of another type": (COMMAND, slash("marriage discard", option("card", 4, 5))),
    "a text that is true": (COMMAND, slash("marriage discard", option("card", 3, value=True))),
    "an unknown option": (COMMAND, slash("help", option("more", 3, "x"))),
    "a user that is no id": (COMMAND, slash("profile", option("player", 6, "ne"), resolved={"users": {}})),
    "a user who was not sent along": (COMMAND, slash("profile", option("player", 6, "1"))),
    "a menu without a target": (COMMAND, {"id": "1", "name": "Challenge to Marriage", "type": 2}),
    "a button without an id": (COMPONENT, {"component_type": 2}),
    "an id that is a number": (COMPONENT, {"component_type": 2, "custom_id": 5}),
    "a button without a message": (COMPONENT, {"component_type": 2, "custom_id": "mr1:join:1:1"}),
    "a form without fields": (SUBMIT, {"custom_id": "mr1:form-rules:1:1"}),
    "a form that was never opened": (SUBMIT, {"custom_id": "mr9:form-rules:1:1", "components": []}),
}


@pytest.mark.parametrize("what", ODD)
async def test_whatever_is_odd_gets_the_same_short_answer(discord, bot, watch: Watch, what):
    asha = discord.person("asha")
    interaction = await send(discord, asha, *ODD[what])
    assert interaction.callback_type == 4
    assert OUT_OF_DATE in asha.last().text
    assert asha.last().ephemeral
    assert watch.errors == []


@pytest.mark.parametrize(
    "envelope",
    [
        {"version": 2},
        {"type": 99},
        {"type": "3"},
        {"member": ...},
        {"member": {}},
        {"data": ...},
        {"data": None},
        {"data": "text"},
        {"attachment_size_limit": ...},
        {"channel": []},
        {"locale": ["en-US"]},
        {"message": {"flags": "64"}},
        {"entitlements": 5},
    ],
)
async def test_an_envelope_that_cannot_be_read_ends_no_connection(discord, bot, watch: Watch, envelope):
    asha = discord.person("asha")
    identified = discord.gateway.identified
    interaction = await send(discord, asha, COMMAND, slash("help"), envelope)
    assert interaction.callback_type == 4
    assert OUT_OF_DATE in asha.last().text
    assert (await asha.slash("help")).message.text
    assert discord.gateway.identified == identified


@pytest.mark.parametrize(
    "data",
    [
        slash("marriage discard", option("card", 3, "5")),
        slash("setup daily", option("timezone", 3, value=True, focused=True)),
        slash("marriage cut", option("place", 4, 1, focused=True)),
        slash("nonsense", option("card", 3, "5", focused=True)),
    ],
)
async def test_odd_typing_is_offered_nothing(discord, bot, watch: Watch, data):
    interaction = await send(discord, discord.person("asha"), AUTOCOMPLETE, data)
    assert (interaction.callback_type, interaction.choices) == (8, [])
    assert watch.errors == []


@pytest.mark.parametrize("custom_id", ["mr0:join:1:1", "mr9:join:1:1", "mr1:nonsense:1:1", "join"])
async def test_a_press_of_another_version_is_told_so(discord, bot, custom_id):
    asha = discord.person("asha")
    await press_blindly(asha, forge(asha, button(custom_id)), custom_id)
    assert OUT_OF_DATE in asha.last().text


async def test_a_press_on_a_message_with_an_unreadable_file_does_nothing(discord, bot, watch: Watch):
    """The answer reads the files that a message shows, after something may have been done."""
    asha, custom_id = discord.person("asha"), "mr1:pick-language:0:0"
    message = message_objects.message(asha.world, forge(asha, select(custom_id, "ne")).message)
    media = {"id": "1", "attachment_id": "1", "url": [], "proxy_url": ""}
    message["components"].append({"type": 12, "id": 9, "items": [{"media": media}]})
    data = {"component_type": 3, "custom_id": custom_id, "values": ["ne"]}
    await send(discord, asha, COMPONENT, data, {"message": message})
    assert OUT_OF_DATE in asha.last().text
    assert "Your settings" in (await asha.slash("settings")).message.text
    assert watch.errors == []


@pytest.mark.parametrize("kind", [3, 5, 6, 8])
async def test_a_choice_of_another_kind_is_told_so(discord, bot, watch: Watch, kind):
    """A text in place of a person's id once ended in a task that was never awaited."""
    asha, custom_id = discord.person("asha"), "mr1:pick-language:0:0"
    message = forge(asha, select(custom_id, "xx") | {"type": kind})
    await press_blindly(asha, message, custom_id, component_type=kind, values=["ne"])
    assert OUT_OF_DATE in asha.last().text
    assert watch.errors == []


async def test_people_who_chose_a_language_are_told_in_it(discord, bot):
    asha = discord.person("asha")
    await asha.choose("mr1:pick-language:0:0", ["ne"], message=(await asha.slash("settings")).message)
    await send(discord, asha, COMMAND, slash("nonsense"))
    assert "पुरानो" in asha.last().text


def test_a_run_that_was_broken_off_goes_on_where_it_was(tmp_path):
    """The tally is read as it was written, and only the rest is forged."""
    path = tmp_path / "var" / "fuzz.jsonl"
    faults = [Broken(2600, 2600, "was not answered"), Broken(2750, 2999, "lost")]
    parts = [
        Report(7, 0, 2500, Counter(press=2500)),
        Report(7, 2500, 2500, Counter(press=2000), broken=faults),
    ]
    for part in (*parts, Report(8, 0, 2500)):
        Tally(path, Report).add(part)
    assert of(Tally(path, Report), 7) == parts
    assert list(missing(parts, 8_000)) == [range(5000, 7500), range(7500, 8000)]
    assert list(missing([], 3_000)) == [range(2500), range(2500, 3000)]
    whole = together(parts)
    assert (whole.sent, whole.kinds, whole.unnamed) == (5000, Counter(press=4500), [range(2750, 3000)])
