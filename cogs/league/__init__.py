"""Leagues: what members and staff type and press."""
