"""One match without input or output: the wire, the referee, the log, the record, the replay."""
