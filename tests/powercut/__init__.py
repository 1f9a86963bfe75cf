"""Power cuts: what the bot writes is recorded, and the disk rebuilt as a cut at any moment may have left it."""
