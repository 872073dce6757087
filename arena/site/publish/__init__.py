"""What is public of a league's record, made into documents."""
