"""The process exposed to the network: it serves what was published and takes what authors send.

It can reach no record and no seed, starts no program and opens no connection. `routes.py` lists all
that can be asked of it; `frame.py` has what holds for every request.
"""
