from data.ids import MessageId
from data.repositories.messages import FILES_KEPT_MS, AttachedFile
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction

NOW = 1_700_000_000_000
OLD, NEW = (
    MessageId((NOW - age - 1_420_070_400_000) << 22) for age in (FILES_KEPT_MS + 1, FILES_KEPT_MS - 1)
)
ONE, OTHER = AttachedFile(7, "a.png"), AttachedFile(9, "b.png")


async def test_what_is_attached_is_the_last_that_was_noted(store: Store):
    await store.write(lambda db: db.attached_files.set({OLD: [OTHER, ONE], NEW: [ONE]}))
    await store.write(lambda db: db.attached_files.set({NEW: [OTHER]}))

    async def read(db: ReadTransaction) -> None:
        assert await db.attached_files.of_message(OLD) == (ONE, OTHER)
        assert await db.attached_files.of_message(NEW) == (OTHER,)
        assert await db.attached_files.of_message(MessageId(5)) == ()

    await store.read(read)

    async def write(db: WriteTransaction) -> None:
        await db.attached_files.set({NEW: []})
        assert await db.attached_files.of_message(NEW) == ()

    await store.write(write)


async def test_old_messages_are_forgotten(store: Store):
    async def write(db: WriteTransaction) -> None:
        await db.attached_files.set({OLD: [ONE], NEW: [ONE]})
        await db.forget_old(NOW)
        assert await db.attached_files.of_message(OLD) == ()
        assert await db.attached_files.of_message(NEW) == (ONE,)

    await store.write(write)
