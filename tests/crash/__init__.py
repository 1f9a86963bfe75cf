"""A bot that is killed repeatedly, at any moment, over the wire."""
