"""The site of an open league: accounts, uploads, requests, guests, and the public pages."""
