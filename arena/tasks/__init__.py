"""What a person asks for: seasons, shards, submissions, comparisons, checks, reruns, reviews.

May import base, zole, match, review, stats, bots, league, record, sandbox and engine.
"""
