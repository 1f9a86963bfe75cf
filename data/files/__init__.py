"""Files of the system: written durably, locked, their errors named."""
