"""The REST API: its endpoints, and the handling of a request."""
