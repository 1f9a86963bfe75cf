"""Keeping the score of games with real cards."""
