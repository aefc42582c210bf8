"""The regularised leader: a convex problem whose minimiser one record can move only a little (8)."""
