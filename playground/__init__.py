"""A Discord-compatible server on this machine, with a page to play on."""
