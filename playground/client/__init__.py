"""What a person can do in Discord's client."""
