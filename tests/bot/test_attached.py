from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.ui.panel import AttachedFiles, files_of
from data.ids import MessageId
from data.repositories.messages import AttachedFile
from data.store import Store

FIRST, SECOND = MessageId(1_400 << 40), MessageId(1_401 << 40)
ONE, OTHER = AttachedFile(7, "a.png"), AttachedFile(8, "b.png")


async def test_what_is_attached_is_known_after_a_restart(store: Store):
    attached = AttachedFiles(store)
    assert await attached.of_message(FIRST) == ()
    attached.note(FIRST, [ONE])
    attached.note(SECOND, [ONE])
    attached.note(SECOND, [OTHER])
    assert await attached.of_message(SECOND) == (OTHER,)
    await attached.save()
    again = AttachedFiles(store)
    assert [await again.of_message(one) for one in (FIRST, SECOND)] == [(ONE,), (OTHER,)]


async def test_nothing_is_written_where_nothing_has_changed(store: Store, monkeypatch: pytest.MonkeyPatch):
    attached = AttachedFiles(store)
    attached.note(FIRST, [ONE])
    await attached.save()
    with monkeypatch.context() as patched:
        patched.setattr(store, "write", None)
        attached.note(FIRST, [ONE])
        await attached.save()


async def test_it_remembers_so_many_messages(store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bot.ui.panel.REMEMBERED", 1)
    attached = AttachedFiles(store)
    attached.note(FIRST, [ONE])
    attached.note(SECOND, [OTHER])
    await attached.save()
    assert await attached.of_message(SECOND) == (OTHER,)
    assert await attached.of_message(FIRST) == ()


def test_the_files_of_a_message_are_those_that_its_components_show():
    def shown(file: AttachedFile) -> dict[str, Any]:
        address = f"https://cdn.discordapp.com/attachments/1/{file.id}/{file.name}?ex=1&is=2"
        return {"url": address, "attachment_id": str(file.id)}

    gallery = {"type": 12, "items": [{"media": shown(ONE)}, {"media": {"url": "https://example.org/c.png"}}]}
    message = SimpleNamespace(
        attachments=[],  # as Discord sends them
        components=[
            discord.Container({"type": 17, "components": [gallery]}, None),
            discord.FileComponent({"type": 13, "file": shown(OTHER), "name": OTHER.name, "size": 1}, None),
        ],
    )
    assert files_of(message) == (ONE, OTHER)
    assert files_of(None) == ()
