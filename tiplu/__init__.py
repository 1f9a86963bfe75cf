"""The command line `tiplu`, which puts the bot and the playground together."""
