"""The documents that a site publishes, as structs: programs read them as JSON, pages show them."""
