"""Reports for people: tables in the terminal, progress, pages."""
