"""A scripted evening: many tables, many people, and everything that can go wrong, over the wire."""
