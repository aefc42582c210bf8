"""Optimisers that prove what they return: without a certificate there is no guarantee (PRIVACY.md 8)."""
