"""Leagues in chat: seasons that draw their own tables, count results and publish standings."""
