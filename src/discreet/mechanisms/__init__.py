"""The only place that adds noise, and the only place that imports OpenDP."""
