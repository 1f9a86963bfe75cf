"""Who sits with whom: pods, schedules, divisions."""
