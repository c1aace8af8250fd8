"""What doctor finds in the DNS about the server's address, and what it says of large providers."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from adjudicator.adapters.mail.accounts import CheckResult, Dkim, MaildirOut, Password, SmtpOut
from adjudicator.adapters.mail.deliverability.dns_queries import DomainNames
from adjudicator.adapters.mail.deliverability.dns_records import check_published
from adjudicator.adapters.mail.deliverability.signing import make_record, read_signing_key
from tests.servers.named import Zone, named

ADDRESS = "games@club.test"
RELAY = SmtpOut(host="mail.club.test", user="games", password=Password(variable="X"))
SPF = '"v=spf1 include:_spf.host.test mx -all"'
ZONE: dict[tuple[str, str], list[str]] = {
    ("club.test", "TXT"): ['"something else"', SPF],
    ("club.test", "MX"): ["10 mx.club.test."],
    ("mx.club.test", "A"): ["192.0.2.7"],
    ("mail.club.test", "A"): ["198.51.100.9"],
    ("_spf.host.test", "TXT"): ['"v=spf1 ip4:198.51.100.0/24 ~all"'],
    ("_dmarc.club.test", "TXT"): ['"v=DMARC1; p=none; rua=mailto:gm@club.test"'],
    ("selector1._domainkey.club.test", "TXT"): ['"v=DKIM1; k=rsa; p=MIIB" "IjAN"'],
}


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Dkim:
    path = tmp_path_factory.mktemp("keys") / "dkim.pem"
    subprocess.run(["openssl", "genrsa", "-out", path, "1024"], check=True, capture_output=True)
    path.chmod(0o600)
    return Dkim(selector="games", key=str(path), domain="club.test")


def look(
    zone: Zone, postman: SmtpOut | MaildirOut = RELAY, address: str = ADDRESS
) -> dict[str, CheckResult]:
    with named(zone) as resolver:
        found = list(check_published(address, postman, DomainNames(resolver)))
    assert len({one.what for one in found}) == len(found)
    return {one.what: one for one in found}


def told(found: dict[str, CheckResult], what: str, words: str, *, well: bool = True) -> None:
    assert words in found[what].words
    assert found[what].well is well


def without(*names: str) -> Zone:
    return {key: records for key, records in ZONE.items() if key[0] not in names}


def test_an_address_with_everything_is_well() -> None:
    found = look(ZONE)
    told(found, "SPF", "include:_spf.host.test mx -all (it allows mail.club.test)")
    told(found, "DKIM", "published at selector1._domainkey.club.test; your provider may sign")
    told(found, "DMARC", "p=none")
    told(found, "providers", "take letters with SPF and DMARC; signed ones")
    assert list(found) == ["SPF", "DKIM", "DMARC", "providers"]


@pytest.mark.parametrize(
    ("records", "words"),
    [
        ([], "club.test has no SPF record; publish a TXT record there"),
        ([SPF, '"v=spf1 mx -all"'], "club.test has 2 SPF records, so none counts; keep one"),
        (['"v=spf1 mx +all"'], "lets every server send; end it with -all"),
        (['"v=spf1 mx ?all"'], "lets every server send"),
        (['"v=spf1 include:club.test -all"'], "refers to more than 10 others, so it fails"),
    ],
)
def test_what_is_wrong_with_spf_is_told(records: Sequence[str], words: str) -> None:
    found = look({**ZONE, ("club.test", "TXT"): records})
    told(found, "SPF", words, well=False)
    told(found, "providers", "refuse letters without SPF and DKIM unless", well=False)


def test_servers_that_spf_does_not_name_are_pointed_out() -> None:
    found = look(ZONE, replace(RELAY, host="relay.elsewhere.test"))
    told(found, "SPF", "it does not name relay.elsewhere.test; it must name the servers that send")


def test_the_own_key_must_be_the_published_one(key: Dkim) -> None:
    signing = replace(RELAY, dkim=key)
    place, record = "games._domainkey.club.test", make_record(read_signing_key(key))
    told(look(ZONE, signing), "DKIM", f"in a TXT record at {place}: {record}", well=False)
    other = {**ZONE, (place, "TXT"): ['"v=DKIM1; p=MIIB"']}
    told(look(other, signing), "DKIM", "another key is published", well=False)
    half = len(record) // 2  # no piece of a text has more than 255 characters
    good = {**ZONE, (place, "TXT"): [f'"{record[:half]}" "{record[half:]}"']}
    found = look(good, signing)
    told(found, "DKIM", f"letters are signed; the key is published at {place}")
    told(found, "providers", "take letters with SPF and DKIM and DMARC")
    bare = {name: one for name, one in good.items() if name != ("club.test", "TXT")}
    told(look(bare, signing), "providers", "take letters with DKIM and DMARC")


def test_a_key_that_others_can_read_is_wrong(key: Dkim, tmp_path: Path) -> None:
    path = tmp_path / "open.pem"
    path.write_bytes(Path(key.key).read_bytes())
    path.chmod(0o644)
    found = list(check_published(ADDRESS, replace(RELAY, dkim=replace(key, key=str(path)))))
    assert f"{path}: mode 644, others can read this key" in found[0].words
    assert not found[0].well
    broken = look(ZONE, replace(RELAY, dkim=replace(key, key=str(path))))
    told(broken, "DKIM", "mode 644", well=False)  # and nothing else of it


def test_without_dmarc_many_letters_are_refused() -> None:
    found = look(without("_dmarc.club.test"))
    told(found, "DMARC", "publish v=DMARC1; p=none in a TXT record at _dmarc.club.test")
    told(found, "providers", "take a few letters a day with SPF; without DMARC")


def test_a_domain_above_speaks_for_those_below() -> None:
    below = {
        ("play.club.test", "TXT"): [SPF],
        **without("club.test", "_dmarc.club.test"),
        ("_dmarc.club.test", "TXT"): ['"v=DMARC1; p=none; sp=reject"'],
    }
    found = look(below, address="games@play.club.test")
    told(found, "DMARC", "at _dmarc.club.test")
    told(found, "providers", "are refused (DMARC p=reject); SPF is lost where a reader forwards")


def test_a_server_of_ones_own_needs_a_name() -> None:
    own = SmtpOut(host="mail.club.test", security="starttls")
    zone: Zone = {**ZONE, ("mail.club.test", "A"): ["8.8.4.4"]}
    told(look(zone, own), "host", "8.8.4.4 (mail.club.test) has no name (PTR record)", well=False)
    named_host: Zone = {**zone, ("4.4.8.8.in-addr.arpa", "PTR"): ["mail.club.test."]}
    assert "host" not in look(named_host, own)
    assert "host" not in look(zone, RELAY)


def test_a_domain_that_nobody_knows_is_told_once(key: Dkim) -> None:
    """Networks without a way out answer so, too."""
    found = look({}, replace(RELAY, dkim=key))
    assert list(found) == ["DNS", "DKIM"]
    told(found, "DNS", "know neither texts nor mail hosts of club.test, so nothing was checked")
    told(found, "DKIM", "in a TXT record at games._domainkey.club.test: v=DKIM1")


def test_without_a_network_nothing_is_wrong(key: Dkim) -> None:
    with named(ZONE) as resolver:
        pass
    names = DomainNames(resolver, patience=0.1)
    found = list(check_published(ADDRESS, replace(RELAY, dkim=key), names))
    assert all(one.well for one in found)
    assert "no name server answers, so nothing was looked up" in found[0].words
    assert "in a TXT record at games._domainkey.club.test: v=DKIM1" in found[1].words


@pytest.mark.parametrize("domain", ["game.test", "example.org", "mail.example.com", "localhost"])
def test_names_of_examples_are_not_looked_up(domain: str) -> None:
    (found,) = check_published(f"games@{domain}", RELAY)
    assert found == CheckResult("DNS", f"{domain} is a name for examples; nothing was looked up")


def test_letters_that_stay_on_this_machine_need_nothing() -> None:
    assert look(ZONE, MaildirOut(folder="out")) == {}
