"""A table in play: its one writer, its seats, its deals, and everything that may happen to it."""
