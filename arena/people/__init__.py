"""People at the table: a person's seat, the server of its page, the terminal.

May import base, zole, match, bots, record, engine, tasks, review and reports.
"""
