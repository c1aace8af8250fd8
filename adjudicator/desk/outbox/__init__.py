"""Letters out: made, queued, sent."""
