"""The table message, hands, and everything else that people at a table see and press."""
