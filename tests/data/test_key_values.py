"""Values stored for the next start."""

from data.repositories.key_values import TOKEN_MS
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction

NOW = 1_700_000_000_000


async def test_the_token_of_an_answer_is_kept_until_it_is_known_or_of_no_use(store: Store):
    async def write(db: WriteTransaction):
        for table_id in (1, 2, 3):
            await db.key_values.answering(table_id, f"token-{table_id}", NOW + table_id)
        await db.key_values.answered(2)
        await db.forget_old(NOW + TOKEN_MS + 2)

    await store.write(write)

    async def read(db: ReadTransaction):
        return [await db.key_values.answer_token(table_id) for table_id in (1, 2, 3)]

    tokens = await store.read(read)
    assert tokens == [None, None, "token-3"]
