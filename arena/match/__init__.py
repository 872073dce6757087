"""One match, pure: the wire, the referee, the log, the record and its replay."""
