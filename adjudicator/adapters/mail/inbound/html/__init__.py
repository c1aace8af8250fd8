"""HTML as its reader sees it: hidden text left out, quotations marked."""
