"""Reports of Jump Wars in words, tables and maps."""
