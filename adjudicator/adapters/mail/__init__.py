"""Mail: letters in and out, postboxes and postmen."""
