"""Rows of the store as plain values, by subject."""
