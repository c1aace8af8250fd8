"""Check games played by bots and at random: they end, and can be repeated exactly."""

import os
import subprocess
import sys

from adjudicator.core.document import decode, digest, encode
from adjudicator.core.finding import Grade
from adjudicator.library.conform.forms import read_as_written
from adjudicator.library.conform.game_under_test import (
    BOT_ROLE,
    LEGAL_ROLE,
    NonConformanceError,
    PlayedStep,
    Subject,
    find_subjects,
    play_on,
)

_SAMPLE = 25
"""Steps of each game that are looked at closely."""
_HASH_SEEDS = ("1", "4242")
_HASHED_STEPS = 40


def check_play(subject: Subject) -> str:
    """Check that bots and random legal play come to an end with winners among the seats."""
    for game in subject.played:
        strangers = set(game.end.winners) - set(game.end.seats)
        if strangers:
            raise NonConformanceError(f"{game.what}: {strangers} have won and have no seat")
    for step in subject.steps:
        _check_step(subject, step)
    finished = sum(game.end.over for game in subject.played)
    games, steps = len(subject.played), len(subject.steps)
    return f"{games} games, {steps} steps; {finished} were played to their end"


def _check_step(subject: Subject, step: PlayedStep) -> None:
    due, seats = step.opened.due, set(step.opened.seats)
    unknown = {debt.form for debt in due.values()} - set(subject.kind.forms())
    if unknown:
        raise NonConformanceError(f"{step.what}: there is no form {', '.join(unknown)}")
    if not due.keys() <= seats:
        raise NonConformanceError(f"{step.what}: somebody without a seat owes orders")
    if step.closed.scores.keys() != seats:
        raise NonConformanceError(f"{step.what}: score does not give a number to every seat")


def check_orders(subject: Subject) -> str:
    """Check that orders of `legal` and `bot` are read as they stand and never refused."""
    count = 0
    for step in subject.sample(_SAMPLE):
        for seat, debt in step.opened.due.items():
            orders = step.orders[seat]
            try:
                read_as_written(subject, debt.form, orders, step.opened.seats)
            except NonConformanceError as wrong:
                raise NonConformanceError(f"{step.what}, {seat}: {wrong}") from wrong
            view = subject.rules.view(step.before, seat)
            for finding in subject.rules.check(view, seat, orders):
                if finding.grade is not Grade.DOUBTFUL:
                    raise NonConformanceError(
                        f"{step.what}: {seat} orders {orders}, and the check says "
                        f"{finding.grade}: {finding.message} [{finding.rule}]"
                    )
            count += 1
    return f"{count} forms of random and bot play"


def check_documents(subject: Subject) -> str:
    """Check that a state comes back from its document, through the bytes in which it is stored."""
    sampled = subject.sample(_SAMPLE)
    for step in sampled:
        content = encode(subject.rules.dump(step.after))
        again = subject.rules.load(decode(content))
        if again != step.after:
            raise NonConformanceError(f"{step.what}: load(dump(state)) is another state")
        if encode(subject.rules.dump(again)) != content:
            raise NonConformanceError(f"{step.what}: it is dumped differently when loaded")
    return f"{len(sampled)} states"


def check_determinism(subject: Subject) -> str:
    """Check that the same state, orders and dice give the same bytes, and no input changes."""
    rules, sampled = subject.rules, subject.sample(_SAMPLE)
    for step in sampled:
        before = encode([rules.dump(step.before), step.orders])
        copy = rules.load(decode(encode(rules.dump(step.before))))
        after = encode([rules.dump(step.after), step.closed.events])
        for state in (step.before, copy):
            again, events = rules.resolve(state, step.orders, step.opened.dice)
            if encode([rules.dump(again), events]) != after:
                raise NonConformanceError(f"{step.what}: played again, it comes out otherwise")
        if encode([rules.dump(step.before), step.orders]) != before:
            raise NonConformanceError(f"{step.what}: resolve changes what it was given")
    return f"{len(sampled)} steps, each adjudicated three times"


def check_hash_seeds(subject: Subject, module: str) -> str:
    """Check that another process with another order of sets gives the same bytes."""
    digests = {digest_of_play(subject): "this process"}
    for seed in _HASH_SEEDS:
        command = [sys.executable, "-m", __name__, module, subject.kind.kind]
        path = os.pathsep.join(entry for entry in sys.path if entry)
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
        process = subprocess.run(command, env=env, capture_output=True, text=True, check=False)  # noqa: S603 - this very program
        if process.returncode:
            raise NonConformanceError(f"it cannot be played in another process: {process.stderr}")
        digests.setdefault(process.stdout.strip(), f"PYTHONHASHSEED={seed}")
    if len(digests) > 1:
        names = " and ".join(digests.values())
        raise NonConformanceError(f"{names} give other bytes: the order of a set decides something")
    return f"{len(_HASH_SEEDS)} other processes"


def digest_of_play(subject: Subject) -> str:
    """Compute a digest of states, orders, events and reports of games by legal play and bots."""
    parts: list[bytes] = []
    for players in (subject.kind.smallest, subject.kind.largest):
        start = subject.playable.new(seed=7, seats=players)
        roles = {seat: (LEGAL_ROLE, BOT_ROLE)[place % 2] for place, seat in enumerate(start.seats)}
        for step in play_on("", start, roles, _HASHED_STEPS):
            game = step.closed
            parts += [encode(game.document), encode(game.executed), encode(game.events)]
            parts += [game.report(seat).content for seat in (*game.seats, None)]
    return digest(b"".join(parts))


if __name__ == "__main__":
    (_subject,) = [one for one in find_subjects(sys.argv[1], 0) if one.kind.kind == sys.argv[2]]
    sys.stdout.write(digest_of_play(_subject) + "\n")
