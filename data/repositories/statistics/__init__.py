"""What is stored of finished deals: their list, sums, ratings and profiles."""
