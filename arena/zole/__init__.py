"""The game of Zole as pure values: nothing in here knows a bot, a process or a file."""
