"""The command line `tiplu`, which combines the bot and the playground."""
