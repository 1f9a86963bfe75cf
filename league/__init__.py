"""Seasons, pods, standings and ratings: pure functions of recorded results."""
