"""What is kept of finished deals: their list, sums, ratings, profiles."""
