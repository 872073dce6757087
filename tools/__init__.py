"""Programs for those who change the arena: what they make, measure or harm, each says itself."""
