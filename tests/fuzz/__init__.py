"""Forged interactions by the thousand against the real bot; `python -m tests.fuzz` runs them."""
