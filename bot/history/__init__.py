"""The memory of finished deals: history, boards, replays, files for others, and questions of fair play."""
