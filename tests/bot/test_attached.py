import pytest

from bot.ui.attachments import AttachedFiles
from data.ids import MessageId
from data.repositories.attached_files import AttachedFile
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
        patched.setattr(store, "writing", None)
        attached.note(FIRST, [ONE])
        await attached.save()


async def test_it_remembers_so_many_messages(store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bot.ui.attachments.REMEMBERED", 1)
    attached = AttachedFiles(store)
    attached.note(FIRST, [ONE])
    attached.note(SECOND, [OTHER])
    await attached.save()
    assert await attached.of_message(SECOND) == (OTHER,)
    assert await attached.of_message(FIRST) == ()
