"""The appearance of a league in chat."""
