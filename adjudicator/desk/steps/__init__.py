"""Open, close, publish, replay and verify steps."""
