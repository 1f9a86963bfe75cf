"""The store: tables, migrations and queries.

`Store.open` returns a store; use `await store.write(work)` and `await store.read(work)` with it.
"""
