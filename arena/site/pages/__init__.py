"""The pages of a site: each one text, drawn from the documents that were published.

Who serves them needs `Drawing` and the files of `static_files`; nothing here reads a record or an
account.
"""
