"""Tasks that a person asks for: leagues, submissions, comparisons, checks, reruns, reviews."""
