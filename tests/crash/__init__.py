"""A bot that is killed again and again in the midst of everything, over the wire."""
