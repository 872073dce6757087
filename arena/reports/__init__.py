"""What people read: tables in the terminal, progress, pages.

May import base, zole, match, review, stats, league, record, sandbox and tasks.
"""
