"""What programs that import the arena call beside the rules: views, matches, records."""
