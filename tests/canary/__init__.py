"""The canary: whole deals through the real bot, and an oracle that looks for hidden cards in every byte that leaves."""
