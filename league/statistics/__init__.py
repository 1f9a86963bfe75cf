"""Statistics of recorded deals: boards, ratings, profiles, achievements."""
