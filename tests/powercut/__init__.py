"""Power cuts: the bot's writes are recorded, and the disk is rebuilt as any cut may have left it."""
