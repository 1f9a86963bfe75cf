"""Leagues in chat: seasons that draw their tables, count their results and publish their standings by themselves."""
