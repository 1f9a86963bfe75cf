"""What recorded deals say of their players: boards, ratings, profiles, achievements."""
