"""From final hands to points, settlement and score sheet."""
