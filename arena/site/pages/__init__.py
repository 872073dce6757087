"""The pages of a site, each drawn as one text from documents that were published.

Serving them takes `Drawing` and the files of `static_files`; nothing here reads a record or an
account.
"""
