"""Home games with real cards: their score, kept in chat."""
