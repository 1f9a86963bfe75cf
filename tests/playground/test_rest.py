"""The REST API: what it answers, what it refuses, and the error codes."""

import asyncio
import base64

import discord
import pytest
from yarl import URL

from playground.interactions import COMMAND
from playground.model import COMPONENTS_V2, EPHEMERAL, FORUM, LOADING
from tests.playground.client import QuickBot
from tests.waiting import until

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x05\0\0\0\x07\x08\6\0\0\0"


@pytest.fixture
def channel(server):
    return server.world.channel("marriage")


@pytest.fixture
def messages(channel):
    return f"/channels/{channel.id}/messages"


def opened(server, person="asha", *, kind=COMMAND, message=None, channel="marriage"):
    """Open an interaction, as a press or command would."""
    world = server.world
    where = channel if not isinstance(channel, str) else world.channel(channel)
    data = (
        {"id": "1", "name": "x", "type": 1}
        if kind == COMMAND
        else {"custom_id": "x", "component_type": 2, "id": 1}
    )
    return server.interactions.open(kind, world.user(person), where, data, message=message)


def callback(interaction):
    return f"/interactions/{interaction.id}/{interaction.token}/callback?with_response=1"


def hook(server, interaction):
    return f"/webhooks/{server.world.application_id}/{interaction.token}"


async def test_the_answer_is_json_and_nothing_more(api):
    reply = await api("GET", "/users/@me")
    assert reply.headers["Content-Type"] == "application/json"
    assert reply.headers["X-RateLimit-Bucket"]


async def test_a_wrong_token_is_refused(api):
    reply = await api("GET", "/users/@me", token="playground.wrong")
    assert (reply.status, reply.body) == (401, {"message": "401: Unauthorized", "code": 0})


async def test_half_a_request_of_a_sender_that_died_was_never_made(server, messages):
    url = URL(server.api_url)
    _, sender = await asyncio.open_connection(url.host or "", url.port)
    head = f"POST {url.path}{messages} HTTP/1.1\r\nHost: {url.authority}\r\nContent-Type: application/json\r\nContent-Length: 99"
    sender.write(f'{head}\r\n\r\n{{"content": "h'.encode())
    (entry,) = await until(lambda: server.recorder.requests("POST"))
    sender.transport.abort()
    await until(lambda: entry.cut)
    assert (entry.status, server.failures) == (0, [])


async def test_a_request_whose_sender_died_before_it_is_read_was_never_made(server, messages, monkeypatch):
    async def read_late(request, _files):
        sender.transport.abort()
        await until(lambda: request.transport is None)
        raise RuntimeError(
            "Connection closed."
        )  # as aiohttp does if the connection is lost before its handler begins

    monkeypatch.setattr("playground.rest.handler.read_body", read_late)
    url = URL(server.api_url)
    _, sender = await asyncio.open_connection(url.host or "", url.port)
    sender.write(
        f"POST {url.path}{messages} HTTP/1.1\r\nHost: {url.authority}\r\nContent-Length: 9\r\n\r\n".encode()
    )
    (entry,) = await until(lambda: server.recorder.requests("POST"))
    await until(lambda: entry.cut)
    assert (entry.status, server.failures) == (0, [])


async def test_an_unknown_endpoint_is_a_failure(api, server):
    assert (await api("GET", "/nowhere")).status == 404
    assert server.failures == ["unknown endpoint: GET /api/v10/nowhere"]
    server.failures.clear()
    server.recorder.entries.clear()


async def test_an_exception_in_a_handler_is_a_failure(api, server, monkeypatch):
    monkeypatch.setattr(server.world, "dm_channel", None)
    person = server.world.user("asha")
    assert (await api("POST", "/users/@me/channels", {"recipient_id": str(person.id)})).status == 400
    assert "TypeError" in server.failures[0]
    server.failures.clear()


async def test_history_is_newest_first_and_paged(api, channel, messages):
    for number in range(5):
        await api("POST", messages, {"content": str(number)})
    ids = list(channel.messages)

    async def page(query):
        return [message["content"] for message in (await api("GET", f"{messages}?{query}")).body]

    assert await page("limit=2") == ["4", "3"]
    assert await page(f"before={ids[2]}") == ["1", "0"]
    assert await page(f"after={ids[1]}&limit=2") == ["3", "2"]
    assert await page(f"around={ids[2]}&limit=3") == ["3", "2", "1"]


async def test_unknown_things_are_named_by_their_codes(api, channel, messages):
    assert (await api("GET", "/channels/1")).code == 10003
    assert (await api("GET", f"{messages}/1")).code == 10008
    assert (await api("GET", "/users/1")).code == 10013
    assert (await api("POST", "/users/@me/channels", {"recipient_id": "1"})).code == 50033
    assert (await api("POST", "/webhooks/1/none", {"content": "x"})).code == 10015
    assert (await api("POST", "/interactions/1/none/callback", {"type": 6})).code == 10062


async def test_lost_permissions_are_named_by_their_codes(api, server, messages):
    world = server.world
    sent = (await api("POST", messages, {"content": "x"})).body
    world.deny("marriage", "ATTACH_FILES")
    assert (await api("POST", messages, {"attachments": [{"id": 0}]}, files={"x.txt": b"x"})).code == 50013
    world.deny("marriage", "SEND_MESSAGES")
    assert (await api("POST", messages, {"content": "x"})).code == 50013
    world.deny("marriage", "VIEW_CHANNEL")
    assert (await api("PATCH", f"{messages}/{sent['id']}", {"content": "y"})).code == 50001
    world.allow("marriage", "VIEW_CHANNEL", "SEND_MESSAGES", "ATTACH_FILES")
    assert (await api("POST", messages, {"content": "x"})).status == 200
    server.person("asha").say("mine")
    foreign = list(world.channel("marriage").messages)[-1]
    assert (await api("PATCH", f"{messages}/{foreign}", {"content": "y"})).code == 50005
    assert (await api("DELETE", f"{messages}/{foreign}")).code == 50013


async def test_dms_are_refused_when_closed_or_strange(api, server):
    dm = server.world.dm_channel("asha")
    again = await api("POST", "/users/@me/channels", {"recipient_id": str(server.world.user("asha").id)})
    assert again.body["id"] == str(dm.id)
    server.world.user("asha").dms_closed = True
    assert (await api("POST", f"/channels/{dm.id}/messages", {"content": "x"})).code == 50007
    server.world.remove_member("bikram")
    gone = server.world.dm_channel("bikram")
    assert (await api("POST", f"/channels/{gone.id}/messages", {"content": "x"})).code == 50278


async def test_files_travel_both_ways(api, server, channel, messages):
    body = {"attachments": [{"id": 0, "filename": "my hand.png", "description": "seven of spades"}]}
    sent = (await api("POST", messages, body, files={"x.png": PNG})).body
    file = sent["attachments"][0]
    assert (file["filename"], file["width"], file["height"]) == ("my_hand.png", 5, 7)
    async with api.http.get(file["url"]) as got:
        assert await got.read() == PNG
        assert got.headers["Content-Type"] == "image/png"
        assert got.headers["X-Content-Type-Options"] == "nosniff"
        assert "Content-Disposition" not in got.headers
    sent = (await api("POST", messages, {"attachments": [{"id": 0}]}, files={"x.html": b"<script>"})).body
    async with api.http.get(sent["attachments"][0]["url"]) as got:
        assert got.headers["Content-Disposition"].startswith("attachment")
    kept = (await api("PATCH", f"{messages}/{sent['id']}", {"content": "x"})).body["attachments"]
    assert len(kept) == 1
    assert (await api("PATCH", f"{messages}/{sent['id']}", {"attachments": []})).body["attachments"] == []


async def test_a_file_that_a_component_shows_is_no_attachment_of_the_message(api, messages):
    body = {
        "flags": COMPONENTS_V2,
        "components": [
            {
                "type": 17,
                "components": [{"type": 12, "items": [{"media": {"url": "attachment://hand.png"}}]}],
            },
            {"type": 13, "file": {"url": "attachment://deal.txt"}},
        ],
        "attachments": [{"id": 0, "filename": "hand.png"}, {"id": 1, "filename": "deal.txt"}],
    }
    sent = (await api("POST", messages, body, files={"hand.png": PNG, "deal.txt": b"x"})).body
    assert sent["attachments"] == []
    picture = sent["components"][0]["components"][0]["items"][0]["media"]
    file = sent["components"][1]["file"]
    assert picture["attachment_id"] != file["attachment_id"]
    assert picture["url"].endswith("/hand.png")
    body["attachments"] = [{"id": shown["attachment_id"]} for shown in (picture, file)]
    assert (await api("PATCH", f"{messages}/{sent['id']}", body)).body["components"] == sent["components"]


async def test_a_request_over_25_mib_is_refused(api, messages):
    reply = await api("POST", messages, {}, files={"x.bin": bytes(26 * 1024 * 1024)})
    assert (reply.status, reply.code) == (413, 40005)


async def test_a_repeated_nonce_returns_the_earlier_message(api, channel, messages):
    body = {"content": "once", "nonce": "7", "enforce_nonce": True}
    first, second = (await api("POST", messages, body)).body, (await api("POST", messages, body)).body
    assert first["id"] == second["id"]
    assert len(channel.messages) == 1
    await api("POST", messages, {**body, "nonce": "8"})
    assert len(channel.messages) == 2


async def test_who_is_pinged_is_what_was_allowed(api, server, messages):
    asha, devi = server.world.user("asha"), server.world.user("devi")
    text = f"<@{asha.id}> <@{devi.id}> @everyone"
    none = await api("POST", messages, {"content": text, "allowed_mentions": {"parse": []}})
    assert none.body["mentions"] == []
    pinged = await api("POST", messages, {"content": text, "allowed_mentions": {"users": [str(devi.id)]}})
    assert [user["username"] for user in pinged.body["mentions"]] == ["devi"]
    shown = {"type": 10, "content": text}
    all_of_them = await api("POST", messages, {"flags": COMPONENTS_V2, "components": [shown]})
    assert len(all_of_them.body["mentions"]) == 2
    assert not all_of_them.body["mention_everyone"]


async def test_a_reply_quotes(api, messages):
    first = (await api("POST", messages, {"content": "x"})).body
    reply = (
        await api("POST", messages, {"content": "y", "message_reference": {"message_id": first["id"]}})
    ).body
    assert (reply["type"], reply["referenced_message"]["id"]) == (19, first["id"])
    assert (
        await api("POST", messages, {"content": "y", "message_reference": {"message_id": "1"}})
    ).code == 50035


async def test_reactions_and_pins(api, messages):
    message = (await api("POST", messages, {"content": "x"})).body["id"]
    heart = f"{messages}/{message}/reactions/%E2%9D%A4"
    assert (await api("PUT", f"{heart}/@me")).status == 204
    assert (await api("GET", f"{messages}/{message}")).body["reactions"][0]["me"]
    assert len((await api("GET", heart)).body) == 1
    assert (await api("DELETE", f"{heart}/@me")).status == 204
    assert (await api("DELETE", f"{heart}/@me")).code == 10014
    assert (await api("PUT", f"{messages}/pins/{message}")).status == 204
    assert (await api("GET", f"{messages}/pins")).body["items"][0]["message"]["id"] == message


async def test_threads(api, server, channel):
    opened_thread = await api("POST", f"/channels/{channel.id}/threads", {"name": "Table 1", "type": 12})
    thread = opened_thread.body["id"]
    asha, bikram = server.person("asha"), server.person("bikram")
    server.world.owner = server.world.user("eklavya")
    assert server.world.channel("Table 1") not in asha.actions.channels(asha.user)
    assert (await api("PUT", f"/channels/{thread}/thread-members/{asha.id}")).status == 204
    assert asha.go("Table 1").say("here").author == "asha"
    assert server.world.channel("Table 1") not in bikram.actions.channels(bikram.user)
    assert (await api("DELETE", f"/channels/{thread}/thread-members/{asha.id}")).status == 204
    assert server.world.channel("Table 1") not in asha.actions.channels(asha.user)
    assert (await api("PATCH", f"/channels/{thread}", {"archived": True, "locked": True})).body[
        "thread_metadata"
    ]["archived"]
    assert (await api("POST", f"/channels/{thread}/messages", {"content": "x"})).code == 50083
    assert (await api("DELETE", f"/channels/{thread}/thread-members/{asha.id}")).code == 50083
    listed = await api("GET", f"/channels/{channel.id}/threads/archived/private")
    assert [listed_thread["id"] for listed_thread in listed.body["threads"]] == [thread]
    assert (await api("PATCH", f"/channels/{thread}", {"archived": False, "locked": False})).status == 200
    assert (await api("DELETE", f"/channels/{thread}")).status == 200
    assert (await api("GET", f"/channels/{thread}")).code == 10003


async def test_only_who_manages_threads_or_has_made_a_private_one_removes_its_members(api, server, channel):
    asha = server.person("asha")
    for kind, code in ((11, 50013), (12, None)):
        thread = (await api("POST", f"/channels/{channel.id}/threads", {"name": "x", "type": kind})).body[
            "id"
        ]
        await api("PUT", f"/channels/{thread}/thread-members/{asha.id}")
        server.world.deny(channel.name, "MANAGE_THREADS")
        removed = await api("DELETE", f"/channels/{thread}/thread-members/{asha.id}")
        assert (removed.code, asha.id in server.world.channels[int(thread)].members) == (code, bool(code))


async def test_a_thread_grows_out_of_a_message_once(api, channel, messages):
    message = (await api("POST", messages, {"content": "x"})).body["id"]
    thread = await api("POST", f"{messages}/{message}/threads", {"name": "Table 1"})
    assert (thread.status, thread.body["id"], thread.body["type"]) == (201, message, 11)
    assert (await api("POST", f"{messages}/{message}/threads", {"name": "Table 1"})).code == 160004


async def test_a_forum_has_posts_alone(api, server):
    forum = server.world.add_channel("pods", FORUM)
    posts, hello = f"/channels/{forum.id}/threads", {"content": "Hello"}
    assert (await api("POST", f"/channels/{forum.id}/messages", hello)).code == 50008
    assert list((await api("POST", posts, {"name": "Pod 1"})).body["errors"]) == ["message"]
    assert (await api("POST", posts, {"name": "Pod 1", "message": {"content": " "}})).code == 50006
    opened = await api("POST", posts, {"name": "Pod 1", "message": hello})
    assert (opened.status, opened.body["type"], opened.body["parent_id"]) == (201, 11, str(forum.id))
    assert (opened.body["message"]["id"], opened.body["message"]["content"]) == (opened.body["id"], "Hello")
    answered = await api("POST", f"/channels/{opened.body['id']}/messages", hello)
    assert answered.status == 200
    server.world.deny("pods", "SEND_MESSAGES")
    assert (await api("POST", posts, {"name": "Pod 2", "message": hello})).code == 50013
    strict = server.world.add_channel("strict", FORUM, requires_tag=True)
    posts = f"/channels/{strict.id}/threads"
    assert (await api("POST", posts, {"name": "Pod 1", "message": hello})).code == 40067


async def test_emojis(api, server):
    path = f"/applications/{server.world.application_id}/emojis"
    image = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
    made = await api("POST", path, {"name": "spade_7", "image": image})
    assert made.status == 201
    assert (await api("POST", path, {"name": "spade_7", "image": image})).code == 50035
    assert (await api("POST", path, {"name": "spade_8", "image": "x"})).code == 50035
    assert [emoji["name"] for emoji in (await api("GET", path)).body["items"]] == ["spade_7"]
    async with api.http.get(f"{server.url}/emojis/{made.body['id']}.webp") as got:
        assert await got.read() == PNG
    assert (await api("DELETE", f"{path}/{made.body['id']}")).status == 204


async def test_a_refused_edit_of_a_channel_changes_nothing(api, server, channel):
    server.world.allow("marriage", "MANAGE_CHANNELS")
    path = f"/channels/{channel.id}"
    for bad in ("", " ", "x" * 101):
        reply = await api("PATCH", path, {"name": bad, "rate_limit_per_user": 60})
        assert (reply.code, list(reply.body["errors"])) == (50035, ["name"])
    assert (channel.name, channel.slowmode) == ("marriage", 0)
    assert (await api("POST", f"{path}/threads", {"name": "", "type": 12})).code == 50035


async def test_events_on_the_calendar(api, server):
    path = f"/guilds/{server.world.guild.id}/scheduled-events"
    body = {
        "name": "Round 1",
        "privacy_level": 2,
        "entity_type": 3,
        "entity_metadata": {"location": "#league"},
        "scheduled_start_time": "2026-12-01T10:00:00+00:00",
        "scheduled_end_time": "2026-12-01T12:00:00+00:00",
    }
    made = (await api("POST", path, body)).body
    assert (await api("PATCH", f"{path}/{made['id']}", {"status": 2})).body["status"] == 2
    assert (await api("POST", path, body | {"entity_metadata": {}})).code == 50035
    assert (await api("POST", path, body | {"description": ""})).code == 50035
    assert (await api("DELETE", f"{path}/{made['id']}")).status == 204
    assert (await api("GET", f"{path}/{made['id']}")).code == 10070


# Interactions ---------------------------------------------------------------------------------------


async def test_a_second_answer_is_refused(api, server):
    interaction = opened(server)
    first = await api("POST", callback(interaction), {"type": 4, "data": {"content": "x"}})
    assert first.body["resource"]["message"]["interaction_metadata"]["type"] == 2
    assert (await api("POST", callback(interaction), {"type": 4, "data": {"content": "x"}})).code == 40060


async def test_a_late_answer_is_refused(api, server):
    server.interactions.deadline = 0.0
    interaction = opened(server)
    await server.person("asha").wait_for(lambda: interaction.state == "failed")
    assert (await api("POST", callback(interaction), {"type": 4, "data": {"content": "x"}})).code == 10062
    assert (await api("POST", hook(server, interaction), {"content": "x"})).code == 10015


async def test_an_old_token_is_refused(api, server):
    server.interactions.token_life = 0.0
    interaction = opened(server)
    await api("POST", callback(interaction), {"type": 5})
    reply = await api("PATCH", f"{hook(server, interaction)}/messages/@original", {"content": "x"})
    assert (reply.status, reply.code) == (401, 50027)


@pytest.mark.parametrize("kind", [6, 7, 8, 1])
async def test_a_command_is_not_answered_so(api, server, kind):
    assert (
        await api("POST", callback(opened(server)), {"type": kind, "data": {"content": "x"}})
    ).code == 50035


async def test_thinking_takes_no_other_flag_than_ephemeral(api, server):
    reply = await api("POST", callback(opened(server)), {"type": 5, "data": {"flags": COMPONENTS_V2}})
    assert "data" in reply.body["errors"]


async def test_the_first_follow_up_completes_thinking_and_stays_ephemeral(api, server):
    interaction = opened(server)
    answer = (await api("POST", callback(interaction), {"type": 5, "data": {"flags": EPHEMERAL}})).body
    assert "resource" not in answer
    assert answer["interaction"]["response_message_loading"]
    first = (await api("POST", hook(server, interaction), {"content": "done"})).body
    assert first["id"] == answer["interaction"]["response_message_id"]
    assert first["flags"] & (EPHEMERAL | LOADING) == EPHEMERAL
    second = (await api("POST", hook(server, interaction), {"content": "more"})).body
    assert second["id"] != first["id"]
    assert not second["flags"] & EPHEMERAL


async def test_an_empty_text_is_refused_wherever_a_message_is_written(api, server, messages):
    empty = {
        "flags": COMPONENTS_V2,
        "components": [{"type": 17, "components": [{"type": 10, "content": ""}]}],
    }
    sent = (await api("POST", messages, {"content": "x"})).body["id"]
    interaction = opened(server)
    refused = [
        await api("POST", messages, empty),
        await api("PATCH", f"{messages}/{sent}", empty | {"content": None}),
        await api("POST", callback(interaction), {"type": 4, "data": empty}),
    ]
    await api("POST", callback(interaction), {"type": 4, "data": {"content": "x"}})
    refused.append(await api("POST", hook(server, interaction), empty))
    for reply in refused:
        assert (reply.status, reply.body["code"], reply.body["message"]) == (400, 50035, "Invalid Form Body")
        errors = reply.body["errors"]["components"]["0"]["components"]["0"]["content"]["_errors"]
        assert [list(error) for error in errors] == [["code", "message"]]


async def test_an_ephemeral_message_is_reached_by_its_token_alone(api, server, messages):
    interaction = opened(server)
    data = {"content": "secret", "flags": EPHEMERAL}
    sent = (await api("POST", callback(interaction), {"type": 4, "data": data})).body["resource"]["message"]
    assert (await api("GET", f"{messages}/{sent['id']}")).code == 10008
    assert (await api("PATCH", f"{messages}/{sent['id']}", {"content": "x"})).code == 10008
    assert (await api("GET", messages)).body == []
    original = f"{hook(server, interaction)}/messages/@original"
    assert (await api("PATCH", original, {"content": "new"})).body["content"] == "new"
    assert server.person("asha").last().text == "new"
    assert server.person("bikram").messages() == []
    assert (await api("DELETE", original)).status == 204
    assert (await api("GET", original)).code == 10008


async def test_a_form_does_not_answer_a_form(api, server):
    interaction = opened(server, kind=5)
    form = {"custom_id": "x", "title": "x", "components": [{"type": 10, "content": "x"}]}
    assert (await api("POST", callback(interaction), {"type": 9, "data": form})).code == 50035
    assert (await api("POST", callback(interaction), {"type": 7, "data": {"content": "x"}})).code == 50035


# Limits and faults ----------------------------------------------------------------------------------


async def test_a_limit_is_told_of_in_headers_and_enforced(api, server, messages):
    server.faults.limit("/messages$", 2, 60.0, method="POST")
    first = await api("POST", messages, {"content": "x"})
    assert (first.headers["X-RateLimit-Limit"], first.headers["X-RateLimit-Remaining"]) == ("2", "1")
    await api("POST", messages, {"content": "x"})
    over = await api("POST", messages, {"content": "x"})
    assert (over.status, over.headers["Via"], over.body["global"]) == (429, "1.1 google", False)
    assert over.headers["X-RateLimit-Scope"] == "user"
    other = server.world.channel("general")
    assert (await api("POST", f"/channels/{other.id}/messages", {"content": "x"})).status == 200


async def test_discord_py_waits_out_a_429(server):
    client = QuickBot()
    server.faults.fail("/users/@me$", status=429, retry_after=0.01, times=2)
    await client.login(server.token)
    await client.close()
    assert [entry.status for entry in server.recorder.requests("GET", "/users/@me")] == [429, 429, 200]


async def test_a_fault_has_a_code_and_a_number_of_times(api, server, messages):
    server.faults.fail("/messages", status=403, code=50001)
    assert (await api("POST", messages, {"content": "x"})).code == 50001
    assert (await api("POST", messages, {"content": "x"})).status == 200


async def test_answers_can_be_held_back(api, server, messages):
    hold = server.faults.hold("/messages")
    asked = asyncio.create_task(api("POST", messages, {"content": "x"}))
    await hold.reached()
    assert server.world.channel("marriage").messages == {}
    hold.release()
    assert (await asked).status == 200


async def test_discord_py_sees_a_deleted_message_as_not_found(server):
    client = QuickBot()
    await client.login(server.token)
    channel = await client.fetch_channel(server.world.channel("marriage").id)
    sent = await channel.send("x")
    server.world.delete_message(sent.id)
    with pytest.raises(discord.NotFound) as caught:
        await sent.edit(content="y")
    await client.close()
    assert caught.value.code == 10008
