"""The score of games with real cards."""
