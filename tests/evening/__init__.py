"""A scripted evening: many tables, many people, everything that goes wrong in one, over the wire."""
