"""A bot's folder: its manifest, its archive, and the templates for new ones."""
