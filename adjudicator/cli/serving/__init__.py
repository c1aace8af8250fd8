"""The daemon: incoming letters, clock and outgoing letters, a task each."""
