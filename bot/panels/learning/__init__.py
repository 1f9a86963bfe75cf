"""For newcomers: practice deals and the pages of the rules."""
