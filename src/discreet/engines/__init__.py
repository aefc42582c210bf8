"""Engines hold coded records and return exact integers."""
