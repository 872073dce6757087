"""What a person asks for: seasons, shards, submissions, comparisons, checks, reruns, reviews."""
