"""The registry: what only the site knows, in a database; each function is a transaction."""
