"""The appearance of messages: each panel is built from a snapshot for every send or edit."""
