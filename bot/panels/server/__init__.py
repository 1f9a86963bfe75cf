"""Settings of people and servers, privacy, and the log of the staff."""
