"""From what was measured to the rows of the table: ratios, and the targets for them.

A ratio says how many times as long as `of` something takes; against diplomacy's speed it says how
many times as fast it is. A turn of ours is all its steps (plan, jump, reveal); a turn of
diplomacy's is a season with all its phases (movements, retreats, adjustments), counted when its
movements begin. Beside turn against turn stand step against phase, each what everybody ordered,
once adjudicated; and whole turns of ours against single phases, for whoever calls a phase a turn.
"""

from collections.abc import Iterator, Mapping

from tests.bench.measures import Row, Target

# the machine's floor: the standard library's JSON and SHA-256 of the shipped state, SQLite alone
FLOOR = "sorted JSON + SHA-256"
COMMIT = "bare transaction"
# the same for a letter: standard-library parse with policy.default, addresses and text; YAML behind
# a guard; a validator that is kept; SQLite alone; all four; and aiosmtplib alone, connections kept
BARE_PARSE = "bare parse of a letter"
BARE_YAML = "bare YAML of a letter"
BARE_SCHEMA = "bare JSON Schema"
BARE_KEPT = "bare transaction, a letter"
BARE_LETTER = "bare parts of a letter"
BARE_SENT = "bare aiosmtplib"
# the peer: process() in movement phases; random orders and process(), by seasons and by phases; a
# process that does it once
PROCESS = "diplomacy process()"
SEASONS = "diplomacy random play, seasons"
PHASES = "diplomacy random play, phases"
COLD = "diplomacy cold turn"

# what is measured
TURN = "five-player turns"
JUMP = "resolve a jump step"
IMAGINED = "an imagined position"
BOTS = "bot games"
RANDOM = "random-legal games"
RANDOM_TURNS = "random play"
RANDOM_STEPS = "random play, steps"
RECEIPTS = "receipts"
RECEIPT = "a receipt"
PARSED = "letters parsed"
TAKEN = "letters taken"
LETTER = "a letter, to its receipt"
SENT = "letters sent"
CLOSE = "closing a step"
TEXTS = "reports as text"
PAGES = "reports as HTML"
WHOLE = "reports with pictures"
PICTURE = "a picture"
TEXT_WEIGHT = "a report as text"
PAGE_WEIGHT = "a report as HTML"
WHOLE_WEIGHT = "a report with pictures"
WEIGHT = "a report in a mail"
MANY_ROUND = "a round of many games"
SITE = "pages of a site"
SITE_AGAIN = "a site that stands"
VERIFY = "verify"
STATE = "state"
RECORD = "database of an order"
MEMORY = "memory of close"
BARE_START = "python -c pass"
HELP = "cold start of --help"
SHOW = "cold start of show"
COLD_CLOSE = "cold start of close"
LETTER_FUNCTIONS = "functions of a letter"
LETTER_FILES = "files of a letter"
CLOSE_FUNCTIONS = "functions of a closing"
CLOSE_FILES = "files of a closing"

# the same of every other kind of game; steps and their floor over a whole game between bots
KIND_FLOOR = "JSON, SHA-256"
KIND_STEP = "a step"
KIND_GAMES = "random games"
KIND_BOTS = "games of bots"

CROWDED = (RECEIPT, "a new game", "a closing", "a claim of letters", "a key", "an overview")
"""What is measured beside few games and beside many."""

UNITS: Mapping[str, str] = {
    FLOOR: "ms",
    COMMIT: "ms",
    BARE_PARSE: "ms",
    BARE_YAML: "ms",
    BARE_SCHEMA: "ms",
    BARE_KEPT: "ms",
    BARE_LETTER: "ms",
    BARE_SENT: "letters/s",
    PROCESS: "ms",
    SEASONS: "seasons/s",
    PHASES: "phases/s",
    COLD: "ms",
    TURN: "turns/s",
    JUMP: "ms",
    IMAGINED: "ms",
    BOTS: "games/s",
    RANDOM: "games/s",
    RANDOM_TURNS: "turns/s",
    RANDOM_STEPS: "steps/s",
    RECEIPTS: "receipts/s",
    RECEIPT: "ms",
    PARSED: "letters/s",
    TAKEN: "letters/s",
    LETTER: "ms",
    SENT: "letters/s",
    CLOSE: "ms",
    TEXTS: "reports/s",
    PAGES: "reports/s",
    WHOLE: "reports/s",
    PICTURE: "ms",
    TEXT_WEIGHT: "bytes",
    PAGE_WEIGHT: "bytes",
    WHOLE_WEIGHT: "bytes",
    WEIGHT: "bytes",
    **{f"{what} beside {games} games": "ms" for what in CROWDED for games in ("few", "many")},
    MANY_ROUND: "ms",
    SITE: "pages/s",
    SITE_AGAIN: "ms",
    VERIFY: "steps/s",
    STATE: "bytes",
    RECORD: "bytes",
    MEMORY: "MiB",
    BARE_START: "ms",
    HELP: "ms",
    SHOW: "ms",
    COLD_CLOSE: "ms",
    LETTER_FUNCTIONS: "functions",
    LETTER_FILES: "files",
    CLOSE_FUNCTIONS: "functions",
    CLOSE_FILES: "files",
}
"""Everything that can be measured, in the order of the table, and its unit."""

OF_A_KIND: Mapping[str, str] = {
    KIND_FLOOR: "ms",
    KIND_STEP: "ms",
    RECEIPT: "ms",
    IMAGINED: "ms",
    KIND_GAMES: "games/s",
    KIND_BOTS: "games/s",
}
"""What is measured of every other kind, and its unit."""


LONGEST_IMAGINED: Mapping[str, float] = {"jump-drive": 0.5}
"""The milliseconds of a processor that an imagined position may take where that is not 1."""

MOST_CALLS: Mapping[str, int] = {
    LETTER_FUNCTIONS: 300,
    LETTER_FILES: 50,
    CLOSE_FUNCTIONS: 350,
    CLOSE_FILES: 60,
}
"""What a letter with orders and the closing of a step may pass through (tests/bench/calls.py)."""


def of_kind(name: str, kind: str) -> str:
    """What is measured of another kind, by its name in the table."""
    return f"{name} ({kind})"


def unit(name: str) -> str:
    """The unit of a row."""
    what, _, kind = name.partition(" (")
    return OF_A_KIND[what] if kind else UNITS[what]


def rows(found: Mapping[str, float]) -> list[Row]:
    """A row for every number; one more where it is compared with a second thing."""
    compared: dict[str, list[Row]] = {}
    for row in _compared(found):
        compared.setdefault(row.name, []).append(row)
    told: list[Row] = []
    for name in (*UNITS, *(name for name in found if name not in UNITS)):
        if name in found:
            told += compared.get(name) or [Row(name=name, value=found[name], unit=unit(name))]
    return told


def _compared(found: Mapping[str, float]) -> Iterator[Row]:
    def row(name: str, ratio: float, of: str, target: Target | None = None) -> Row:
        return Row(name=name, value=found[name], unit=unit(name), ratio=ratio, of=of, target=target)

    jump, commit = found[JUMP], found[COMMIT]
    yield row(JUMP, jump / found[FLOOR], FLOOR, Target(at_most=10))
    yield row(RECEIPT, found[RECEIPT] / 5, "5 ms", Target(at_most=1))
    beside = f"{COMMIT}, less resolve"
    yield row(CLOSE, (found[CLOSE] - jump) / commit, beside, Target(at_most=5))
    yield row(LETTER, found[LETTER] / found[BARE_LETTER], BARE_LETTER, Target(at_most=2))
    yield row(SENT, found[SENT] / found[BARE_SENT], BARE_SENT, Target(at_least=0.7))
    yield row(SITE, found[SITE] / 100, "100 pages/s", Target(at_least=1))
    yield row(SITE_AGAIN, found[SITE_AGAIN] / 20, "20 ms", Target(at_most=1))
    yield row(PICTURE, found[PICTURE] / 150, "150 ms", Target(at_most=1))
    for what in CROWDED:
        many, few = f"{what} beside many games", f"{what} beside few games"
        yield row(many, found[many] / found[few], few, Target(at_most=1.2))
    for start in (HELP, SHOW):
        yield row(start, found[start] / found[BARE_START], BARE_START)
    yield row(MANY_ROUND, found[MANY_ROUND] / 5, "5 ms", Target(at_most=1))
    for name, most in MOST_CALLS.items():
        yield row(name, found[name] / most, f"{most} {unit(name)}", Target(at_most=1))
    for step in [name for name in found if name.startswith(f"{KIND_STEP} (")]:
        floor, receipt = step.replace(KIND_STEP, KIND_FLOOR), step.replace(KIND_STEP, RECEIPT)
        yield row(step, found[step] / found[floor], floor, Target(at_most=10))
        yield row(receipt, found[receipt] / 5, "5 ms", Target(at_most=1))
    for name in [name for name in found if name.startswith(IMAGINED)]:
        kind = name.partition("(")[2].rstrip(")")
        floor = of_kind(KIND_FLOOR, kind) if kind else FLOOR
        longest = LONGEST_IMAGINED.get(kind, 1)
        yield row(name, found[name] / longest, f"{longest:g} ms", Target(at_most=1))
        yield row(name, found[name] / found[floor], floor, Target(at_most=4))
    if PROCESS not in found:
        return
    yield row(JUMP, found[PROCESS] / jump, PROCESS, Target(at_least=5))
    yield row(RANDOM_TURNS, found[RANDOM_TURNS] / found[SEASONS], SEASONS, Target(at_least=12))
    yield row(RANDOM_TURNS, found[RANDOM_TURNS] / found[PHASES], PHASES, Target(at_least=12))
    yield row(RANDOM_STEPS, found[RANDOM_STEPS] / found[PHASES], PHASES, Target(at_least=12))
    yield row(COLD_CLOSE, found[COLD_CLOSE] / found[COLD], COLD, Target(at_most=1))
