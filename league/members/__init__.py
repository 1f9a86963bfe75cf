"""Who plays in a season: its members, and what the staff decide about them."""
