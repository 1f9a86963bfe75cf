"""What messages look like: each panel is built anew from a snapshot for every send or edit."""
