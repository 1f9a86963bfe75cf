"""The store: tables, migrations, queries.

`Store.open` gives a store; `async with store.writing() as writer` and `async with store.reading() as reader` do the rest.
"""
