"""Everything that the bot sends by itself: what waits in the outbox is drawn, posted, edited and deleted here."""
