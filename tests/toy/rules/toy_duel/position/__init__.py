"""The state of Toy Duel, its documents, and what a seat may know of it."""
