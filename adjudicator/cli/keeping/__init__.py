"""Keep a home: back it up, move it, recover it."""
