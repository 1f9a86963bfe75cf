"""Everything that the bot sends without a press: outbox rows are drawn, posted, edited and deleted here."""
