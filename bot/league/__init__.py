"""Leagues in chat: seasons that draw their own tables, count their own results and tell where everybody stands."""
