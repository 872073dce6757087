"""What programs that import the arena call beside the rules: views, matches, records.

May import base, zole, match, league, record, stats, sandbox, engine and tasks.
"""
