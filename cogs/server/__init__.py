"""Settings of people and servers, privacy, channels that come and go."""
