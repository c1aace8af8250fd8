"""Reports and forecasts of Jump Drive in words, tables and charts."""
