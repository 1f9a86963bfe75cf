"""Puzzles: finding them in the background, asking them, and what an answer changes."""
