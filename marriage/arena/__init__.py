"""Measuring computer players: the ladder of players by name, and matches between them in which luck cancels."""
