"""What leaves the bot by itself: messages of tables and hands, posted, edited and kept within reach."""
