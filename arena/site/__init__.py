"""The site of an open league: who may come in, what they sent, and what all may see."""
