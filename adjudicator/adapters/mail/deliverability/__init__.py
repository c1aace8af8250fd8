"""What decides whether other mail servers take our letters: limits, signatures, DNS."""
