"""Keeping the score of home games with real cards in chat."""
