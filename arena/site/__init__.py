"""The site of an open league: who may come in, what they sent, and what all may see.

May import base, zole, match, bots, league, record, stats, sandbox, engine, tasks, review, reports
and people.
"""
