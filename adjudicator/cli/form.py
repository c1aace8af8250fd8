"""The order form explained: form."""

import click

from adjudicator.cli.completing import complete_games
from adjudicator.cli.naming import did_you_mean, game_of, kind_of, step_of
from adjudicator.cli.options import Setting, example, home_option, json_option
from adjudicator.cli.output import data, document
from adjudicator.core.names import match
from adjudicator.desk.errors import Refused, Unknown


@click.command(
    epilog=example(
        "adjudicator form ember",
        "adjudicator form jump-wars jump",
        "adjudicator form jump-wars options",
    )
)
@click.argument("game", metavar="GAME|KIND", shell_complete=complete_games)
@click.argument("step", required=False)
@json_option
@home_option
@click.pass_obj
def form(setting: Setting, game: str, step: str | None, as_json: bool) -> None:  # noqa: FBT001
    """Explain an order form: what may be written, what it does, how it looks.

    Without STEP: the form that is due in GAME, or all forms of KIND. Also
    explained: `options` and `settings` of a game, and the `envelope` in which
    all orders come.
    """
    from adjudicator.adapters.formtext import form_text
    from adjudicator.adapters.library import BESIDE
    from adjudicator.core.explain import explain

    kind, names = _meant(setting, game, step)
    found = setting.office.library.kind(kind)
    told = [explain(found.beside(n) if n in BESIDE else found.form(n)) for n in names]
    if as_json:
        document(told[0] if step or len(told) == 1 else told)
    else:
        data("\n\n\n".join(form_text(one) for one in told))


def _meant(setting: Setting, text: str, step: str | None) -> tuple[str, list[str]]:
    """The kind, and the forms that are asked for."""
    office = setting.office
    kinds = office.library.kinds()
    wanted = match(text, kinds)
    ids: list[str] = []
    if not office.empty:
        with office.reading() as books:
            ids = [game.id for game in books.games()]
            if text in ids:
                return _of_game(setting, text, step)
    if wanted is None:
        hint = did_you_mean(text, [*ids, *kinds]) or f" The kinds are {', '.join(kinds)}."
        raise Unknown(f'there is no game and no kind of game "{text}".{hint}')
    forms = list(kind_of(office.library, wanted).forms())
    return wanted, [_form(forms, step, wanted)] if step else forms


def _of_game(setting: Setting, text: str, step: str | None) -> tuple[str, list[str]]:
    office = setting.office
    with office.reading() as books:
        game = game_of(books, text)
        forms = list(kind_of(office.library, game.kind).forms())
        if step:
            name = step_of(books, game, step).partition("-")[2] if step[0].isdigit() else step
        elif game.open_step is None:
            raise Refused(f"{game.id}: no step is open; name a form: {', '.join(forms)}")
        else:
            name = books.step(game.id, game.open_step).phase
    return game.kind, [_form(forms, name, game.id)]


def _form(forms: list[str], text: str, whose: str) -> str:
    from adjudicator.adapters.library import BESIDE

    found = match(text.rpartition("-")[2], [*forms, *BESIDE])
    if found is None:
        hint = did_you_mean(text, [*forms, *BESIDE]) or f" Its forms are {', '.join(forms)}."
        raise Unknown(f'{whose} has no form "{text}".{hint}')
    return found
