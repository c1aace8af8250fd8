"""Letters in and letters out, as the daemon reads and sends them."""
