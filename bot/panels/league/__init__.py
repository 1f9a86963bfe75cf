"""What people see of a league in chat."""
