"""A bot's folder: its manifest, archives of it, and templates for new bots."""
