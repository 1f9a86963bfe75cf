"""Everything that the bot sends without a press.

This package draws, posts, edits and deletes for outbox rows.
"""
