"""The position of Jump Gate: its values, how it is read and written, and who may see what."""
