"""An author's side of a site, for the command line."""
