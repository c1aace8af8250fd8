"""The position of Jump Drive: its values, how it is read and written, and who may see what."""
