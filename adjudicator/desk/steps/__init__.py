"""Steps: opened, closed, published, replayed, verified."""
