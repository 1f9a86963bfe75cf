"""The page's socket, frame by frame, with a bot that the test controls."""

import asyncio
import base64
import contextlib

import aiohttp
import pytest

from playground.model import COMPONENTS_V2, EPHEMERAL, FORUM
from tests.playground.test_rest import PNG, callback
from tests.waiting import SLOW_DEADLINE


class TabByHand:
    """One person's tab."""

    def __init__(self, socket):
        self.socket = socket

    async def tell(self, t, **fields):
        await self.socket.send_json({"t": t, **fields})

    async def hears(self, t, **fields):
        """Wait for a frame of this kind with these fields, and skip other frames."""
        async with asyncio.timeout(SLOW_DEADLINE):
            while True:
                frame = await self.socket.receive_json()
                if frame["t"] == t and all(frame.get(key) == value for key, value in fields.items()):
                    return frame

    async def hears_message(self, content):
        """Wait for a new message with this content."""
        while True:
            frame = await self.hears("message_create")
            if frame["message"]["content"] == content:
                return frame


@contextlib.asynccontextmanager
async def tab(server, user="asha"):
    address = f"{server.url}/page/socket?user={user}"
    async with (
        aiohttp.ClientSession() as http,
        http.ws_connect(address, headers={"Origin": server.url}) as socket,
    ):
        yield TabByHand(socket)


@pytest.fixture
async def asha(server):
    async with tab(server) as opened:
        yield opened


@pytest.fixture
async def bikram(server):
    async with tab(server, "bikram") as opened:
        yield opened


BUTTONS = {
    "type": 1,
    "components": [
        {"type": 2, "style": 1, "label": "Join", "custom_id": "join"},
        {"type": 2, "style": 1, "label": "No", "custom_id": "no", "disabled": True},
    ],
}


@pytest.fixture
async def posted(server, api):
    """Write a message with two buttons as the bot, and return its channel and id."""
    channel = server.world.channel("marriage")
    sent = await api(
        "POST", f"/channels/{channel.id}/messages", {"content": "Table", "components": [BUTTONS]}
    )
    return {"channel_id": str(channel.id), "message_id": sent.body["id"]}


async def last_interaction(server):
    """Wait for an unanswered interaction and return the newest one."""
    async with asyncio.timeout(SLOW_DEADLINE):
        while True:
            waiting = [
                interaction
                for interaction in server.world.interactions.values()
                if interaction.state == "waiting"
            ]
            if waiting:
                return waiting[-1]
            await server.world.changed()


async def test_hello_tells_a_person_what_they_may_know(server):
    async with tab(server, "newcomer") as opened:
        hello = await opened.hears("hello")
        assert hello["me"]["global_name"] == "Newcomer"
        assert "देवी" in [user["global_name"] for user in hello["people"]]
        assert [channel.get("name") for channel in hello["channels"]] == [
            "marriage",
            "league",
            "general",
            "forum",
            None,
        ]
        assert hello["dms_closed"] is False
        assert (await opened.hears("gateway"))["connected"] is False


async def test_a_message_reaches_everyone_in_the_channel(server, asha, bikram):
    channel = str(server.world.channel("general").id)
    await asha.tell("send", channel_id=channel, content="नमस्ते")
    assert (await bikram.hears("message_create", channel_id=channel))["message"]["content"] == "नमस्ते"


async def test_an_ephemeral_answer_reaches_one_tab_and_is_dismissed(server, api, asha, bikram, posted):
    await asha.tell("component", nonce="1", **posted, custom_id="join")
    interaction = await last_interaction(server)
    await api("POST", callback(interaction), {"type": 4, "data": {"content": "secret", "flags": EPHEMERAL}})
    shown = await asha.hears_message("secret")
    assert (await asha.hears("interaction", nonce="1"))["state"] == "acknowledged"
    await asha.tell("dismiss", channel_id=posted["channel_id"], message_id=shown["message"]["id"])
    await asha.hears("message_delete", id=shown["message"]["id"])
    await bikram.tell("send", channel_id=posted["channel_id"], content="what?")
    seen = [await bikram.hears("message_create") for _ in range(2)]
    assert [frame["message"]["content"] for frame in seen] == ["Table", "what?"]


async def test_a_press_that_the_persons_view_does_not_show_is_an_error(server, asha, posted):
    for custom_id in ("no", "absent"):
        await asha.tell("component", nonce=custom_id, **posted, custom_id=custom_id)
        assert (await asha.hears("interaction", nonce=custom_id))["state"] == "error"
    assert server.world.interactions == {}


async def test_an_unanswered_press_is_failed(server, asha, posted):
    server.interactions.deadline = 0.0
    await asha.tell("component", nonce="1", **posted, custom_id="join")
    assert (await asha.hears("interaction", nonce="1"))["state"] == "failed"


async def test_a_form_is_opened_and_sent_with_a_file(server, api, asha, posted):
    await asha.tell("component", nonce="1", **posted, custom_id="join")
    fields = [
        {"type": 18, "label": "Name", "component": {"type": 4, "custom_id": "name", "style": 1}},
        {"type": 18, "label": "File", "component": {"type": 19, "custom_id": "file"}},
    ]
    form = {"custom_id": "form", "title": "Form", "components": fields}
    await api("POST", callback(await last_interaction(server)), {"type": 9, "data": form})
    opened = await asha.hears("modal", nonce="1")
    assert opened["modal"]["title"] == "Form"
    answers = [
        {"type": 18, "component": {"type": 4, "custom_id": "name", "value": "Asha"}},
        {
            "type": 18,
            "component": {
                "type": 19,
                "custom_id": "file",
                "files": [
                    {"filename": "h.png", "content_type": "image/png", "data": base64.b64encode(PNG).decode()}
                ],
            },
        },
    ]
    await asha.tell("modal_submit", nonce="2", modal_id=opened["modal_id"], components=answers)
    submitted = await last_interaction(server)
    assert submitted.data["components"][0]["component"]["value"] == "Asha"
    (file,) = submitted.data["resolved"]["attachments"].values()
    async with api.http.get(file["url"]) as got:
        assert await got.read() == PNG
    await api("POST", callback(submitted), {"type": 7, "data": {"content": "thanks", "components": []}})
    assert (await asha.hears("message_update"))["message"]["content"] == "thanks"


async def test_commands_are_offered_with_suggestions(server, api, asha):
    option = {"type": 3, "name": "table", "description": "Which", "autocomplete": True, "required": True}
    command = {"name": "join", "description": "Join", "options": [option]}
    await asha.hears("hello")
    made = await api("PUT", f"/applications/{server.world.application_id}/commands", [command])
    hello = await asha.hears("hello")
    assert [command["name"] for command in hello["commands"]] == ["join"]
    fields = {"channel_id": hello["channels"][0]["id"], "command_id": made.body[0]["id"]}
    typed = {"name": "table", "type": 3, "value": "a", "focused": True}
    await asha.tell("autocomplete", nonce="1", **fields, options=[typed])
    choices = [{"name": "Asha's", "value": "1"}]
    await api("POST", callback(await last_interaction(server)), {"type": 8, "data": {"choices": choices}})
    assert (await asha.hears("choices", nonce="1"))["choices"] == choices
    await asha.tell("command", nonce="2", **fields, options=[])
    assert "required" in (await asha.hears("interaction", nonce="2"))["message"]


async def test_threads_come_into_view_and_go(server, api, bikram):
    world = server.world
    await bikram.hears("hello")
    body = {"name": "Table 1", "type": 12}
    thread = (await api("POST", f"/channels/{world.channel('marriage').id}/threads", body)).body["id"]
    await api("PUT", f"/channels/{thread}/thread-members/{world.user('bikram').id}")
    assert (await bikram.hears("channel_create"))["channel"]["name"] == "Table 1"
    world.deny("general", "VIEW_CHANNEL", who="bikram")
    gone = await bikram.hears("channel_delete")
    assert gone["channel"]["id"] == str(world.channel("general").id)
    world.delete_channel("Table 1")
    assert (await bikram.hears("channel_delete"))["channel"]["id"] == thread


async def test_what_is_sent_into_a_forum_becomes_a_post(server, bikram):
    await bikram.hears("hello")
    forum = server.world.add_channel("pods", FORUM)
    await bikram.tell("send", channel_id=str(forum.id), content="Who plays?")
    [post] = await server.person("bikram").wait_for(lambda: server.world.threads(forum))
    assert (post.name, post.parent) == ("Who plays?", forum)
    assert (await bikram.hears("message_create"))["message"]["id"] == str(post.id)


async def test_dms_are_closed_by_a_switch(server, asha):
    await asha.hears("hello")
    await asha.tell("dms", closed=True)
    assert (await asha.hears("hello"))["dms_closed"] is True
    assert server.world.user("asha").dms_closed


async def test_the_language_of_discord_is_chosen(server, asha):
    assert (await asha.hears("hello"))["locale"] == "en-US"
    await asha.tell("locale", locale="hi")
    assert (await asha.hears("hello"))["locale"] == "hi"
    assert server.world.user("asha").locale == "hi"
    await asha.tell("locale", locale="ne", nonce="1")
    assert "no such language" in (await asha.hears("interaction"))["message"]


async def test_the_wire_is_shown_to_who_watches(server, api, asha, posted):
    await asha.tell("watch", on=True)
    entry = (await asha.hears("wire"))["entry"]
    assert (entry["method"], entry["status"]) == ("POST", 200)
    await asha.tell("fault", kind="status", status=503, times=1, path="/users")
    await asha.tell("send", channel_id=posted["channel_id"], content="after the fault")
    await asha.hears_message("after the fault")
    assert (await api("GET", "/users/@me")).status == 503
    assert (await asha.hears("wire"))["entry"]["status"] == 503


async def test_a_bad_frame_is_an_error_and_no_end(server, asha):
    await asha.socket.send_str("{")
    await asha.tell("nothing", nonce="1")
    assert (await asha.hears("interaction", nonce="1"))["state"] == "error"
    await asha.tell("fault", kind="status", status=500, path="(", nonce="2")
    assert (await asha.hears("interaction", nonce="2"))["state"] == "error"


async def test_components_only_messages_and_typing_are_shown(server, api, asha):
    channel = server.world.channel("marriage")
    await api("POST", f"/channels/{channel.id}/typing")
    assert (await asha.hears("typing"))["user"]["username"] == "tiplu"
    shown = {"flags": COMPONENTS_V2, "components": [{"type": 10, "content": "Deal 1"}]}
    await api("POST", f"/channels/{channel.id}/messages", shown)
    assert (await asha.hears("message_create"))["message"]["components"][0]["content"] == "Deal 1"
