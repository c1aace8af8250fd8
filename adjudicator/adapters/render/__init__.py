"""Documents as text, HTML and pictures."""
