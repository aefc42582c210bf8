"""A durable privacy budget: reserve, run, commit."""
