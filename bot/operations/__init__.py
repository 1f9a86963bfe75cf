"""Tools for operators of the bot: checks before a start, and explanations of a failed one."""
