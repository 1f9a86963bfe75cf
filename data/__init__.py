"""The store: tables, migrations, queries.

`Store.open` gives a store; `await store.write(work)` and `await store.read(work)` do the rest.
"""
