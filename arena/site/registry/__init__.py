"""The registry: a database of what only the site knows. Each function is one transaction."""
