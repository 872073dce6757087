"""What a site publishes, as values: the JSON that programs get and the pages are drawn from."""
