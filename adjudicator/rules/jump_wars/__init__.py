"""Jump Wars: simultaneous movement of fleets by written orders (seeds/jump_wars/rulebook.md)."""
