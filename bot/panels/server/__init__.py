"""Settings of people and servers, privacy, what the staff did."""
