"""Finished deals: lists, records, replays, leaderboards, profiles, files."""
