"""Fair play: deals that players report to the staff."""
