"""What messages look like: each panel is built from a snapshot, anew for every send or edit."""
