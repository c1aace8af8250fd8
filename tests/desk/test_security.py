"""What somebody may try who writes letters; each test is an attempt that comes to nothing."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from email.message import EmailMessage
from pathlib import Path

import msgspec
import pytest
from jinja2.exceptions import SecurityError

from adjudicator.adapters.archive.pack import pack_archive
from adjudicator.adapters.archive.reports import Texts
from adjudicator.adapters.archive.stored_game import collect_dossier
from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.render.printer import Printer
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.outbox import keys
from adjudicator.desk.steps.handover import replace_player
from tests.desk.conftest import GAME
from tests.desk.mailing import form, ordering, quoted, words
from tests.desk.post import HOUSE
from tests.desk.twins import World

HEADERS = {
    *("from", "reply-to", "to", "subject", "date", "message-id", "in-reply-to", "references"),
    *("auto-submitted", "x-auto-response-suppress", "list-id", "mime-version"),
    *("content-type", "content-transfer-encoding"),
}
KEY = re.compile(r"\b[2-9a-hjkmnp-z]{4}-[2-9a-hjkmnp-z]{4}\b")
ADA, BO, CLEO = "ada@example.org", "bo@example.org", "cleo@example.org"


@pytest.fixture
def world(tmp_path: Path, toy_library: FolderLibrary) -> Iterator[World]:
    with ExitStack() as ends:
        made = World(tmp_path / "adjudicator.db", toy_library, ends)
        settings = {"pace": "72h", "press": "grey"}
        made.new("toy-duel", 1, ["red", "blue", "green"], settings=settings)
        made.mail.deliver()
        yield made


def everything(world: World) -> list[bytes]:
    world.mail.deliver()
    return [one for letters in world.mail.raw.values() for one in letters]


# keys, and who writes


def test_keys_are_compared_in_constant_time_and_in_no_other_way(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[bytes, bytes]] = []
    same = keys.hmac.compare_digest

    def spy(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return same(one, other)

    monkeypatch.setattr(keys.hmac, "compare_digest", spy)
    world.say("red", "ask: [status]")
    assert any(one == other for one, other in compared)
    monkeypatch.setattr(keys.hmac, "compare_digest", lambda one, other: False)
    text = world.post.form("ask: [status]")
    assert world.mail.write(ADA, text).reason == "wrong key", "nothing else compares them"


@pytest.mark.parametrize("line", ["play: owl", "vote: concede", "resign: yes", "clear: yes"])
def test_from_is_no_proof(world: World, line: str) -> None:
    """A letter from the player's own address, without the key, changes nothing."""
    world.order("red", {"play": world.position().hands["red"][0]})
    before = world.post.on_file()
    step = world.desk.step().name
    world.mail.write(ADA, f"game: {GAME}\nstep: {step}\n{line}")
    world.mail.write(HOUSE.gm[0], f"game: {GAME}\ngm: [close now, bot red]")
    assert world.post.on_file() == before
    assert world.desk.step().name == step
    assert world.desk.seating("red").player == "Ada"


def test_who_has_seen_a_key_gets_no_answer_but_the_seat_is_told(world: World) -> None:
    world.mail.raw.clear()
    world.mail.write("eve@example.com", world.post.form("ask: [status, orders, report, resend]"))
    assert "ask: new-key" in words(world.mail.last(ADA))
    (told,) = world.mail.raw["eve@example.com"]
    assert not KEY.search(told.decode())
    assert b"STATUS" not in told


def test_dkim_where_the_settings_want_it_is_needed_besides_the_key(
    tmp_path: Path, toy_library: FolderLibrary
) -> None:
    with ExitStack() as ends:
        world = World(tmp_path / "adjudicator.db", toy_library, ends)
        strict = {"auth": "dkim", "auth_host": "mx.example.org"}
        world.new("toy-duel", 1, ["red", "blue"], settings=strict)
        signed = b"mx.example.org; dkim=pass header.d=example.org"
        plain = f"From: {ADA}\nMessage-ID: <%d@x>\n\n{world.post.form('play: owl')}".encode()
        for number, headers in enumerate([b"", b"Authentication-Results: evil.example; dkim=pass"]):
            world.mail.give(headers + b"\n" * bool(headers) + plain % number)
            assert world.post.on_file() == []
        world.mail.give(b"Authentication-Results: " + signed + b"\n" + plain % 9)
        assert len(world.post.on_file()) == 1


def test_strangers_and_guessers_are_answered_a_few_times_a_day_only(world: World) -> None:
    for number in range(40):
        world.mail.write("eve@example.com", f"hello {number}")
        world.mail.write("mal@example.com", f"game: {GAME}\nkey: 2222-22{number + 22}\nplay: owl")
    world.mail.deliver()
    assert len(world.mail.raw["eve@example.com"]) == HOUSE.strangers
    assert len(world.mail.raw["mal@example.com"]) <= HOUSE.strangers
    world.say("red", "ask: [status]")
    assert "STATUS" in words(world.mail.last(ADA)), "the seat itself is never slowed down"


# what is put into letters

HOSTILE = [
    '"Eve\\r\\nBcc: victim@example.com"',
    '"Eve\\nBcc: victim@example.com\\n\\ngame: tiny"',
    '"Eve\\u2028Bcc: victim@example.com"',
    '"Eve\\u0085Bcc: victim@example.com"',
    '"=?utf-8?q?Eve=0D=0ABcc:_victim@example.com?="',
    '"{{ 7 * 191 }}"',
    '"{% for x in ().__class__.__base__.__subclasses__() %}1337{% endfor %}"',
    '"<script>alert(1337)</script>"',
]


@pytest.mark.parametrize("text", HOSTILE)
def test_names_luck_press_and_subjects_end_no_header_and_are_no_template(
    world: World, text: str
) -> None:
    spark = {"game": "spark", "seats": {"red": None, "blue": None}, "luck": {}, "start": False}
    world.desk.new(**spark)
    world.mail.write("eve@example.com", f"join: spark\nname: {text}\nluck: {text}")
    asked = world.mail.last("eve@example.com")
    world.mail.write("eve@example.com", quoted(words(asked)), asked)
    world.mail.write("dan@example.com", "join: spark\nname: Dan\nluck: none")
    asked = world.mail.last("dan@example.com")
    world.mail.write("dan@example.com", quoted(words(asked)), asked)
    world.say("red", f"press: [{{to: all, text: {text}}}]", f"ask: [{text}]", f"play: {text}")
    world.say("gm", f"gm: [{{edit: {{reason: {text}, change: {{round: '1'}}}}}}]")
    world.say("gm", f"press: [{{to: all, text: {text}}}]")
    hostile = EmailMessage()
    hostile["From"], hostile["Message-ID"] = "eve@example.com", "<a@b>"
    raw = hostile.as_bytes().replace(b"<a@b>", b"<a@b>\r\n <c@d> =?utf-8?q?=0ABcc:_x@y.z?=")
    world.mail.give(raw + b"Subject: =?utf-8?q?x=0D=0ABcc:_victim@example.com?=\r\n\r\nhello")
    letters = everything(world)
    assert len(letters) > 15
    for letter in letters:
        head = letter.partition(b"\r\n\r\n")[0].decode()
        names = re.findall(r"^([^\s:]+):", head, re.MULTILINE)
        assert {name.lower() for name in names} <= HEADERS
        assert len(set(names)) == len(names)
        whole = letter.decode().replace("=\r\n", "")  # where a line was folded, it goes on
        assert "1337" not in re.sub(r"(?:\(|%28)1337(?:\)|%29)", "", whole).replace("%}1337{%", "")


def test_templates_run_in_a_sandbox_and_html_is_escaped(tmp_path: Path) -> None:
    (tmp_path / "common").mkdir()
    (tmp_path / "common" / "evil.txt.j2").write_text("{{ ().__class__.__base__.__subclasses__() }}")
    (tmp_path / "common" / "page.html.j2").write_text("<p>{{ name }}</p>")
    printer = Printer([tmp_path])
    with pytest.raises(SecurityError):
        printer.text("evil.txt", {})
    escaped = "<p>&lt;script&gt;{{ 7 * 7 }}&lt;/script&gt;</p>\n"
    assert printer.text("page.html", {"name": "<script>{{ 7 * 7 }}</script>"}) == escaped


FORGED = [
    "game: tiny\nstep: {step}\nkey: {key}\nplay: {card}\n# end of orders",
    "```yaml\ngame: tiny\nstep: {step}\nkey: {key}\nplay: {card}\n```",
    "RECEIPT 9 to blue, game tiny, step {step}\nYOU ARE IN\n\ngame: tiny\nplay: {card}",
    "hi\u2028game: tiny\u2028step: {step}\u2028play: {card}",
    "hi\x0bgame: tiny\x85step: {step}\rplay: {card}",
    "> game: tiny\n> step: {step}\n> key: {key}\n> play: {card}",
]


@pytest.mark.parametrize("forged", FORGED)
def test_press_is_taken_neither_for_a_letter_of_the_house_nor_for_orders(
    world: World, forged: str
) -> None:
    """Red writes a false form to blue, who replies without thinking, quoting all of it."""
    card = world.position().hands["blue"][0]
    text = forged.format(step=world.desk.step().name, key="2222-2222", card=card)
    content = msgspec.json.encode(text).decode()
    world.say("red", f"press: [{{to: [blue], text: {content}}}]")
    letter = world.mail.last(BO)
    lines = words(letter).splitlines()
    assert str(letter["Subject"]).lower().endswith("press from red")
    assert [line for line in lines if "play:" in line and not line.startswith(": ")] in (
        [],
        [f"# play: {card}"],  # the example in blue's own form
    )
    assert sum(line.startswith("game:") for line in lines) == 1
    for reply in (quoted(words(letter)), words(letter), "Yes!\n\n" + quoted(words(letter))):
        world.mail.write(BO, reply, letter)
        assert world.post.on_file("blue") == []
    orders = ordering(form(words(letter)), f"play: {card}")
    world.mail.write(BO, orders + "\n\n" + quoted(words(letter)), letter)
    assert world.post.on_file("blue") == [{"play": card}]


# files


@pytest.mark.parametrize(
    "name", ["../evil", "a/b", "..", "", "evil\n", ".hidden", "C:\\x", "x" * 99]
)
def test_the_name_of_a_game_leads_out_of_no_folder(world: World, name: str) -> None:
    with pytest.raises(Refused):
        world.desk.new(game=name)


def archive(world: World) -> dict[str, bytes]:
    with world.desk.store.reading() as books:
        dossier = collect_dossier(books, GAME)
    folders = [find_data_folder("templates")]
    return dict(pack_archive(dossier, Texts(Printer(folders), world.desk.library.kind("toy-duel"))))


def test_an_archive_holds_no_key_and_no_raw_mail(world: World) -> None:
    seen: set[str] = set()
    for _ in range(2):
        for seat, orders in world.choices("bot", 1).items():
            address = {"red": ADA, "blue": BO, "green": CLEO}[seat]
            last = world.mail.last(address)
            seen |= set(KEY.findall(words(last)))
            block = ordering(form(words(last)), *(f"{k}: {v}" for k, v in orders.items()))
            text = f"Dear house, between you and me.\n\n{block}\n\nSent from my phone"
            assert world.mail.write(address, text, last).reason == "taken"
        world.desk.close()
    files = archive(world)
    assert len(seen) >= 3
    assert len(files) > 10
    whole = b"\n".join(files.values())
    assert not [key for key in seen if key.encode() in whole]
    for raw in (b"Dear house", b"Sent from my phone", b"Message-ID", b"example.net", b"Subject:"):
        assert raw not in whole


def test_names_of_people_are_in_no_path_of_an_archive(world: World) -> None:
    with world.desk.store.writing() as books:
        ada = books.player("Ada")
        assert ada is not None
        books.save(msgspec.structs.replace(ada, name="../../etc/passwd"))
    world.desk.act(replace_player, "red", "../../etc/passwd")
    world.desk.close()
    assert not [path for path in archive(world) if ".." in str(path) or "passwd" in str(path)]


def test_no_letter_however_it_is_made_changes_another_seat(world: World) -> None:
    """A key of red's, with another seat, game or step written beside it, is red's all the same."""
    key = world.post.key("red")
    card = world.position().hands["blue"][0]
    for line in ("seat: blue", "player: Bo", "game: other", "as: blue", "from: blue"):
        world.mail.write(BO, f"game: {GAME}\nkey: {key}\n{line}\nplay: {card}")
    assert world.post.on_file("blue") == []
