"""An author's side of a site, from the command line."""
