"""What a person asks for: seasons, shards, submissions, comparisons, checks, reruns.

May import base, zole, match, stats, bots, league, record, sandbox and engine.
"""
