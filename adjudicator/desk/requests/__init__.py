"""What a letter carries besides orders."""
