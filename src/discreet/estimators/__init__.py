"""The faces that scikit-learn users see: thin, one class a file."""
