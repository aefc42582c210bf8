"""Private smooth boosting: the loop, the plan that binds its parts, and the parts."""
