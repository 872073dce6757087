"""What people read: tables in the terminal, progress, pages."""
