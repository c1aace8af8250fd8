"""The position of Jump Wars: its values, how it is read and written, and who may see what."""
