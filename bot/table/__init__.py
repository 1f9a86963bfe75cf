"""The tables in play: who writes to them, their seats, their deals, and everything that can happen at them."""
