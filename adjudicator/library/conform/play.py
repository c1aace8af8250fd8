"""Games played by bots and at random: they end, and everything in them can be repeated."""

import os
import subprocess
import sys

from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.document import decode, digest, encode
from adjudicator.core.events import list_visible
from adjudicator.core.finding import Grade
from adjudicator.core.game import Over
from adjudicator.library.conform.forms import read_as_written
from adjudicator.library.conform.subject import (
    BOT,
    LEGAL,
    NonConformanceError,
    PlayedGame,
    PlayedStep,
    Subject,
    find_subjects,
    play_steps,
)

SAMPLE = 25
"""Steps of each game that are looked at closely."""
_HASH_SEEDS = ("1", "4242")
_HASHED_STEPS = 40


def check_play(subject: Subject) -> str:
    """Bots and random legal play come to an end with winners among the seats."""
    ended = 0
    for game in subject.played:
        due = subject.rules.due(game.steps[-1].after if game.steps else game.start)
        if isinstance(due, Over):
            ended += 1
            strangers = set(due.winners) - set(game.seats)
            if strangers:
                raise NonConformanceError(f"{game.what}: {strangers} have won and have no seat")
        for step in game.steps:
            _check_step(subject, game, step)
    steps = sum(len(game.steps) for game in subject.played)
    return f"{len(subject.played)} games, {steps} steps; {ended} were played to their end"


def _check_step(subject: Subject, game: PlayedGame, step: PlayedStep) -> None:
    unknown = set(step.forms.values()) - set(subject.kind.forms())
    if unknown:
        raise NonConformanceError(f"{_at(game, step)}: there is no form {', '.join(unknown)}")
    if not set(step.forms) <= set(game.seats):
        raise NonConformanceError(f"{_at(game, step)}: somebody without a seat owes orders")
    if set(subject.rules.score(step.after)) != set(game.seats):
        raise NonConformanceError(f"{_at(game, step)}: score does not give a number to every seat")


def check_orders(subject: Subject) -> str:
    """Orders of `legal` and `bot` are read as they stand, and no check refuses or dooms them."""
    tried = 0
    for game, step in subject.sample(SAMPLE):
        for seat, orders in step.orders.items():
            try:
                read_as_written(subject, step.forms[seat], orders, game.seats)
            except NonConformanceError as wrong:
                raise NonConformanceError(f"{_at(game, step)}, {seat}: {wrong}") from wrong
            view = subject.rules.view(step.before, seat)
            for finding in subject.rules.check(view, seat, orders):
                if finding.grade is not Grade.DOUBTFUL:
                    raise NonConformanceError(
                        f"{_at(game, step)}: {seat} orders {orders}, and the check says "
                        f"{finding.grade}: {finding.message} [{finding.rule}]"
                    )
            tried += 1
    return f"{tried} forms of random and bot play"


def check_documents(subject: Subject) -> str:
    """A state comes back from its document, through the bytes in which it is stored."""
    tried = 0
    for game, step in subject.sample(SAMPLE):
        content = encode(subject.rules.dump(step.after))
        again = subject.rules.load(decode(content))
        if again != step.after:
            raise NonConformanceError(f"{_at(game, step)}: load(dump(state)) is another state")
        if encode(subject.rules.dump(again)) != content:
            raise NonConformanceError(f"{_at(game, step)}: it is dumped differently when loaded")
        tried += 1
    return f"{tried} states"


def check_determinism(subject: Subject) -> str:
    """The same state, orders and dice give the same bytes; what is handed in stays as it was."""
    rules, tried = subject.rules, 0
    for game, step in subject.sample(SAMPLE):
        before = encode([rules.dump(step.before), step.orders])
        loaded = rules.load(decode(encode(rules.dump(step.before))))
        after = encode([rules.dump(step.after), step.events])
        for state in (step.before, loaded):
            again, events = rules.resolve(state, step.orders, step.dice)
            if encode([rules.dump(again), events]) != after:
                raise NonConformanceError(
                    f"{_at(game, step)}: played again, it comes out otherwise"
                )
        if encode([rules.dump(step.before), step.orders]) != before:
            raise NonConformanceError(f"{_at(game, step)}: resolve changes what it was given")
        tried += 1
    return f"{tried} steps, each adjudicated three times"


def check_hash_seeds(subject: Subject, module: str) -> str:
    """Another process with another order of sets gives the same bytes."""
    digests = {digest_of_play(subject): "this process"}
    for seed in _HASH_SEEDS:
        command = [sys.executable, "-m", __name__, module, subject.kind.kind]
        path = os.pathsep.join(entry for entry in sys.path if entry)
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)  # noqa: S603 - this very program
        if done.returncode:
            raise NonConformanceError(f"it cannot be played in another process: {done.stderr}")
        digests.setdefault(done.stdout.strip(), f"PYTHONHASHSEED={seed}")
    if len(digests) > 1:
        told = " and ".join(digests.values())
        raise NonConformanceError(f"{told} give other bytes: the order of a set decides something")
    return f"{len(_HASH_SEEDS)} other processes"


def digest_of_play(subject: Subject) -> str:
    """Of states, orders, events and reports of games that legal play and bots begin."""
    kind = subject.kind
    told = [_play_digested(subject, players) for players in (kind.smallest, kind.largest)]
    return digest(b"".join(told))


def _play_digested(subject: Subject, players: int) -> bytes:
    kind, rules = subject.kind, subject.rules
    seats = kind.seats[:players]
    key = derive_dice_key(seed_from_number(7))
    state = rules.setup(kind.options({}, seats), seats, Dice(key, "0-setup"))
    roles = {seat: (LEGAL, BOT)[place % 2] for place, seat in enumerate(seats)}
    told = []
    for step in play_steps(rules, state, key, roles, _HASHED_STEPS):
        told += [encode(rules.dump(step.after)), encode(step.orders), encode(step.events)]
        for seat in (*seats, None):
            view = rules.view(step.after, seat)
            told.append(encode(rules.report(view, list_visible(step.events, seat))))
    return digest(b"".join(told)).encode()


def _at(game: PlayedGame, step: PlayedStep) -> str:
    return f"{game.what}, step {step.number}"


if __name__ == "__main__":
    (_subject,) = [one for one in find_subjects(sys.argv[1], 0) if one.kind.kind == sys.argv[2]]
    sys.stdout.write(digest_of_play(_subject) + "\n")
