"""Stored data about people, and how it is forgotten."""
