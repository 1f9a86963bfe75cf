"""Finished deals: history, replays, leaderboards, files."""
