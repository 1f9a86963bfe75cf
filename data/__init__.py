"""The store: tables, migrations, queries.

`Store.open` gives a store; `async with store.write() as writer` and `async with store.read() as reader` do the rest.
"""
