"""The table message, the hands, and everything else that the people of a table see and press."""
