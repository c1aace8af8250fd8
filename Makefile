# Every target sets up .venv first, where that has not been done, or no longer holds.
.PHONY: .venv/ready demo test lint bench bench-peers league load soak torture
.venv/ready: ; @.make/setup
# Each test process, and each program that a test starts, would compile the whole package anew.
export PYTHONDONTWRITEBYTECODE =
demo: .venv/ready ; .venv/bin/adjudicator demo
test: .venv/ready ; .venv/bin/pytest -n auto --dist loadfile -m "not soak"
lint: .venv/ready ; .venv/bin/ruff check && .venv/bin/ruff format --check && .venv/bin/mypy && .venv/bin/lint-imports
bench: .venv/ready ; .venv/bin/python -m tests.bench
bench-peers: .venv/ready ; .make/peers && .venv/bin/python -m tests.bench
league: .venv/ready ; .venv/bin/python -m tests.league
load: .venv/ready ; .venv/bin/python -m tests.load
soak: .venv/ready ; .venv/bin/pytest -n auto -m "soak or hypothesis"
torture: .venv/ready ; .venv/bin/python -m tests.torture --minutes 60
