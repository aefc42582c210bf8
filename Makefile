# Every check of the project, by name. Needs an active virtual environment.
.PHONY: setup check test guarantees bench docs

setup:            ## install the project with everything a developer needs
	python -m pip install --editable ".[dev]"

check:            ## lint, format, types
	ruff check .
	ruff format --check .
	mypy

test:             ## what runs on every change
	python -m pytest

guarantees:       ## the long privacy battery
	python -m pytest -m "slow or not slow" -n 2 tests/guarantees tests/contracts tests/unit/accounting \
	    tests/system/test_cli_files.py

bench:            ## the figures of the README, and speed beside XGBoost; needs the extra `bench`
	python benchmarks/adult.py
	python benchmarks/speed.py

docs:             ## doctest the examples in docstrings
	python -m pytest --doctest-modules src/discreet
