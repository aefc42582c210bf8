"""Semi-private learners: private labels, public unlabelled points."""
