"""adjudicator.yaml: what may stand in it, and what is said when it is wrong."""

from pathlib import Path

import msgspec
import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.home import choose_settings_file
from adjudicator.adapters.mail.accounts import (
    ImapBox,
    MaildirBox,
    MaildirOut,
    SmtpOut,
    name_login,
)
from adjudicator.adapters.settings import (
    SETTINGS_FORM,
    ServeSettings,
    parse_settings,
    read_settings_file,
)
from adjudicator.core.forms.order_form import fill_defaults
from adjudicator.core.forms.schema import compile_schema
from adjudicator.desk.model.errors import Refused

FILE = Path("/etc/house/adjudicator.yaml")
GOOD = """\
address: Games@example.org
gm: gm@example.org
postboxes:
- kind: imap
  host: mail.example.org
  user: games
  password: {file: secrets/imap}
  poll: 0.5
postman: {kind: smtp, host: mail.example.org, security: starttls, connections: 2}
"""


def test_a_file_is_read_with_its_places_seen_from_itself() -> None:
    settings = parse_settings(GOOD, FILE)
    assert settings.home == "/etc/house/games"
    assert settings.house.address == "games@example.org"
    assert settings.gm == ("gm@example.org",)
    (box,) = settings.postboxes
    assert isinstance(box, ImapBox)
    assert (box.place, box.poll) == ("mail.example.org:993", 0.5)
    assert box.password.file == "/etc/house/secrets/imap"
    assert isinstance(settings.postman, SmtpOut)
    assert settings.postman.place == "mail.example.org:587"


def test_folders_are_enough() -> None:
    settings = parse_settings(
        "address: g@example.org\n"
        "postboxes: [{kind: maildir, folder: in, done: none}]\n"
        "postman: {kind: maildir, folder: /srv/out}\n",
        FILE,
    )
    assert settings.postboxes == (MaildirBox(folder="/etc/house/in", done=None),)
    assert settings.postman == MaildirOut(folder="/srv/out")


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("host: mail.example.org\n  user", "hots: x\n  user", 'did you mean "host"?'),
        ("kind: imap", "kind: pop3", '"pop3" is not "maildir" or "imap"'),
        ("poll: 0.5", "poll: soon", "line 8, postboxes[1].poll: "),
        ("poll: 0.5", "poll: 0.0", '"0.0" is not a number of seconds above 0'),
        (
            "kind: smtp, host: mail.example.org,",
            "kind: smtp,",
            "line 9, postman: this does not name its host",
        ),
        ("security: starttls", "security: none", '"none" is not "tls", "starttls" or "plain"'),
        ("connections: 2", "user: games", "user and password: expected both of them"),
        ("address: Games@example.org", "address: games", 'line 1, address: "games" is not a mail'),
        ("address: Games@example.org\n", "", "does not say which address players write to"),
        ("gm: gm@example.org", "round: 0", "line 2, round: 0 is less than 1"),
        ("gm: gm@example.org", "colour: red", 'unknown key "colour"'),
        ("{file: secrets/imap}", "{file: a, variable: B}", "exactly one of"),
        ("postboxes:", "postboxes: []\nboxes:", "unknown key"),
        ("gm:", "gm: [", "line"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(before: str, after: str, told: str) -> None:
    assert before in GOOD
    with pytest.raises(Refused, match=r"adjudicator\.yaml") as refused:
        parse_settings(GOOD.replace(before, after), FILE)
    assert told in str(refused.value)


@pytest.mark.parametrize("written", ["hunter2", "'it's hunter2'", "*hunter2", "\n    *hunter2"])
def test_a_password_that_stands_in_the_file_is_refused_and_not_repeated(written: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_settings(GOOD.replace("{file: secrets/imap}", written), FILE)
    assert "passwords are not written here" in str(refused.value)
    assert "hunter2" not in str(refused.value)


def test_a_file_that_is_not_there_names_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="adjudicator init"):
        read_settings_file(tmp_path / "adjudicator.yaml")


def test_which_file_is_meant(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert choose_settings_file(None, {}) == tmp_path / "adjudicator.yaml"
    assert choose_settings_file(None, {"ADJUDICATOR_CONFIG": "/etc/a.yaml"}) == Path("/etc/a.yaml")
    assert (
        choose_settings_file("b.yaml", {"ADJUDICATOR_CONFIG": "/etc/a.yaml"}) == tmp_path / "b.yaml"
    )


def test_the_schema_names_the_settings_and_their_defaults() -> None:
    form = FolderLibrary().common(SETTINGS_FORM)
    assert sorted(form.root.properties) == sorted(ServeSettings.__struct_fields__)
    plain = {f.name: f.default for f in msgspec.structs.fields(ServeSettings) if not f.required}
    told = fill_defaults(form, {})
    assert {name: told[name] for name in plain} == msgspec.json.decode(msgspec.json.encode(plain))


@pytest.mark.parametrize(
    ("part", "kind", "struct"),
    [
        ("postbox", "then", ImapBox),
        ("postbox", "else", MaildirBox),
        ("postman", "then", SmtpOut),
        ("postman", "else", MaildirOut),
    ],
)
def test_the_schema_names_what_each_kind_takes(
    part: str, kind: str, struct: type[msgspec.Struct]
) -> None:
    schema = FolderLibrary().common(SETTINGS_FORM).schema["properties"]
    whole = schema["postboxes"]["items"] if part == "postbox" else schema["postman"]
    named = {**compile_schema(whole).properties, **compile_schema(whole[kind]).properties}
    del named["kind"]
    fields = {field.name: field for field in msgspec.structs.fields(struct)}
    assert sorted(named) == sorted(fields)
    for name, node in named.items():
        if "default" in node.schema:
            default = node.schema["default"]
            wanted = fields[name].default
            assert (float(default) if isinstance(wanted, float) else default) == wanted, name


OAUTH = """\
address: g@example.org
postboxes:
- kind: imap
  host: outlook.office365.com
  user: g@example.org
  oauth: {provider: microsoft, client_id: abc}
postman:
  kind: smtp
  host: smtp.office365.com
  user: g@example.org
  oauth: {provider: microsoft, client_id: abc}
"""


def test_postbox_and_postman_of_one_user_share_a_login_in_the_home() -> None:
    settings = parse_settings(OAUTH, FILE)
    (box,), man = settings.postboxes, settings.postman
    assert isinstance(box, ImapBox)
    assert isinstance(man, SmtpOut)
    assert box.oauth == man.oauth
    assert box.oauth is not None
    assert box.oauth.folder == "/etc/house/games/logins/g@example.org"


@pytest.mark.parametrize(("user", "name"), [("..", "%2E."), ("a/../b", "a%2F..%2Fb"), (".", "%2E")])
def test_no_user_leads_out_of_the_folder_of_logins(user: str, name: str) -> None:
    assert name_login(user) == name


BOX = "  oauth: {provider: microsoft, client_id: abc}\npostman"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (BOX, "  password: {file: x}\n" + BOX, "use `password` or `oauth`, not both"),
        (BOX, "postman", "expected `password` or `oauth`"),
        (", client_id: abc", "", "line 6, postboxes[1].oauth: this does not name its client_id"),
        ("provider: microsoft, ", "", "expected exactly one of provider and issuer"),
        ("microsoft,", "google, issuer: 'https://a.b',", "exactly one of provider and issuer"),
        ("provider: microsoft", "provider: yahoo", '"yahoo" is not "microsoft" or "google"'),
        ("provider: microsoft", "issuer: 'http://a.b'", "is not a web address with https://"),
        ("abc}\npostman", "other}\npostman", "postboxes and postman name different `oauth`"),
        (
            "  user: g@example.org\n  oauth: {provider: microsoft, client_id: abc}\n",
            "  oauth: {provider: microsoft, client_id: abc}\n",
            "does not name its user",
        ),
    ],
)
def test_a_login_that_is_none_is_refused(before: str, after: str, told: str) -> None:
    assert before in OAUTH
    with pytest.raises(Refused) as refused:
        parse_settings(OAUTH.replace(before, after), FILE)
    assert told in str(refused.value)


def test_a_client_secret_that_stands_in_the_file_is_not_repeated() -> None:
    with pytest.raises(Refused) as refused:
        parse_settings(OAUTH.replace("abc}", "abc, client_secret: hunter2}"), FILE)
    assert "client secrets are not written here" in str(refused.value)
    assert "hunter2" not in str(refused.value)
