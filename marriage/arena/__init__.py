"""Measure computer players: the ladder of named players, and matches between them in which luck cancels."""
