"""People at the table: a person's seat, the server of its page, the terminal."""
