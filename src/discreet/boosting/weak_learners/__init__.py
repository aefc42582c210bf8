"""Weak learners: one private hypothesis a round."""
