"""Reports and forecasts of Jump Gate in words, tables and charts."""
