"""Measures: rules from the level of a record to its weight."""
