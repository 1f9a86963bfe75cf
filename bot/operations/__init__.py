"""What those who run the bot need: checks before a start, and why it failed."""
