"""What comes after the releases: models, their print and their files. Nothing here sees training records."""
