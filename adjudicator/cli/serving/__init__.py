"""The daemon: letters in, clock, letters out, each a task of its own."""
