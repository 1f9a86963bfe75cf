"""The REST API: its endpoints, and the way of a request to them."""
