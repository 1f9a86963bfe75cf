"""The store: tables, migrations, queries."""
