"""A person's actions in Discord's client."""
