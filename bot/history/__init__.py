"""The record of finished deals: history, boards, replays, exports, and questions of fair play."""
