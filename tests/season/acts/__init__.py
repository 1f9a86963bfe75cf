"""Random acts of players and staff in whole seasons, which have to end by themselves; `python -m tests.season.acts` runs them."""
