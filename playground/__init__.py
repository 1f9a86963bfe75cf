"""A Discord-compatible server for one machine, with a web page for players."""
