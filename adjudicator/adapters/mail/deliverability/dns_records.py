"""What the DNS says of the server's address, and what large providers make of its letters.

Gmail, Yahoo, Outlook.com and iCloud want SPF or DKIM of everybody, TLS, and a host with a name; of
whoever sends 5,000 letters a day, both of them and DMARC.
"""

from collections.abc import Callable, Iterator, Sequence
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

from msgspec import Struct

from adjudicator.adapters.mail.accounts import CheckResult, Dkim, PostmanSettings, SmtpOut
from adjudicator.adapters.mail.deliverability.signing import (
    NEEDS_EXTRA,
    make_record,
    name_record,
    read_signing_key,
)
from adjudicator.desk.model.errors import Refused

if TYPE_CHECKING:
    from adjudicator.adapters.mail.deliverability.dns_queries import DomainNames

_USUAL = ("default", "google", "selector1", "selector2", "dkim", "mail", "k1", "s1", "fm1", "key1")
"""Selectors of large providers and of mail servers as they are installed."""
_MOST_LOOKUPS = 10
"""Receivers follow no more of an SPF record's references (RFC 7208, 4.6.4)."""
_LOOKED_UP = ("include", "a", "mx", "ptr", "exists", "redirect")
_WEAK = ("+all", "all", "?all")


class _Standing(Struct, frozen=True, kw_only=True):
    """What receivers find, in short; None where nobody can tell."""

    spf: bool
    dkim: bool | None
    policy: str | None
    """Of the DMARC record: none, quarantine or reject."""


def check_published(
    address: str, postman: PostmanSettings, names: "DomainNames | None" = None
) -> Iterator[CheckResult]:
    """Check the signing key and the DNS records of the address; nothing where letters stay here."""
    if not isinstance(postman, SmtpOut):
        return
    own = _read_own_record(postman.dkim)
    if isinstance(own, CheckResult):
        yield own
        own = None
    try:
        from adjudicator.adapters.mail.deliverability.dns_queries import (
            DomainNames,
            NoNamesError,
            is_reserved,
        )
    except ImportError:
        words = f"not looked up: SPF, DKIM and DMARC of the address; {NEEDS_EXTRA}"
        yield CheckResult("DNS", words)
        return
    domain = address.rpartition("@")[2].lower()
    if names is None and is_reserved(domain):
        yield CheckResult("DNS", f"{domain} is a name for examples; nothing was looked up")
        return
    try:
        yield from _look_up(domain, postman, own, names or DomainNames())
    except NoNamesError as error:
        yield CheckResult("DNS", f"no name server answers, so nothing was looked up ({error})")
        yield from _describe_publishing(postman.dkim, own)


def _read_own_record(dkim: Dkim | None) -> str | CheckResult | None:
    if dkim is None:
        return None
    try:
        return make_record(read_signing_key(dkim))
    except Refused as refusal:
        return CheckResult("DKIM", str(refusal), well=False)


def _look_up(
    domain: str, postman: SmtpOut, own: str | None, names: "DomainNames"
) -> Iterator[CheckResult]:
    if not any((names.find_texts(domain), names.find_mail_hosts(domain))):
        words = f"the name servers here know neither texts nor mail hosts of {domain}"
        yield CheckResult("DNS", f"{words}, so nothing was checked; check the address")
        yield from _describe_publishing(postman.dkim, own)
        return
    spf = _check_spf(domain, postman.host, names)
    yield spf
    signs: bool | None = None
    if postman.dkim is None:
        yield _describe_usual_key(domain, _find_usual_key(domain, names))
    elif own is None:  # its key cannot be read, as was said
        signs = False
    else:
        dkim = _check_own_key(postman.dkim, own, names)
        signs = dkim.well
        yield dkim
    dmarc, policy = _check_dmarc(domain, names)
    yield dmarc
    yield from _check_host(postman, names)
    yield from _foresee(_Standing(spf=spf.well, dkim=signs, policy=policy))


# SPF: which hosts may send


class _Spf:
    """A record and what it refers to, followed as receivers do."""

    def __init__(self, names: "DomainNames") -> None:
        self._names = names
        self.lookups = 0
        self.addresses: list[str] = []
        """The networks that it allows."""

    def follow(self, domain: str) -> None:
        """Follow the record of a domain."""
        for record in _list_records(self._names, domain, "v=spf1"):
            for term in record.split()[1:]:
                self._take(term.lstrip("+?~-").lower(), domain)

    def _take(self, term: str, domain: str) -> None:
        name, _, value = term.replace("=", ":", 1).partition(":")
        name = name.partition("/")[0]
        target = value.partition("/")[0] or domain
        self.lookups += name in _LOOKED_UP
        if self.lookups > _MOST_LOOKUPS or "%" in target:
            return
        if name in ("ip4", "ip6"):
            self.addresses.append(value)
        elif name in ("include", "redirect"):
            self.follow(target)
        elif name in ("a", "mx"):
            hosts = [target] if name == "a" else self._names.find_mail_hosts(target)
            self.addresses += [one for host in hosts for one in self._names.find_addresses(host)]

    def allows(self, address: str) -> bool:
        """Whether a host with this address may send."""
        for one in self.addresses:
            try:
                if ip_address(address) in ip_network(one, strict=False):
                    return True
            except ValueError:
                continue
        return False


def _list_records(names: "DomainNames", name: str, version: str) -> list[str]:
    records = (" ".join(one.split()) for one in names.find_texts(name))
    return [one for one in records if f"{one.lower()} ".startswith((f"{version} ", f"{version};"))]


def _check_spf(domain: str, host: str, names: "DomainNames") -> CheckResult:
    records = _list_records(names, domain, "v=spf1")
    if len(records) != 1:
        words = (
            f"{domain} has {len(records)} SPF records, so none counts; keep one"
            if records
            else f"{domain} has no SPF record; publish a TXT record there that names the servers"
            " which send its letters, such as v=spf1 mx -all"
        )
        return CheckResult("SPF", words, well=False)
    spf = _Spf(names)
    spf.follow(domain)
    if spf.lookups > _MOST_LOOKUPS:
        words = f"the record of {domain} refers to more than {_MOST_LOOKUPS} others, so it fails"
        return CheckResult("SPF", f"{words}; shorten it: {records[0]}", well=False)
    if records[0].split()[-1].lower() in _WEAK:
        words = f"the record of {domain} lets every server send; end it with -all: {records[0]}"
        return CheckResult("SPF", words, well=False)
    addresses = _without_fault(lambda: names.find_addresses(host))
    here = f"it allows {host}" if any(map(spf.allows, addresses)) else f"it does not name {host}"
    other = "" if here.startswith("it allows") else "; it must name the servers that send for it"
    return CheckResult("SPF", f"{records[0]} ({here}{other})")


def _without_fault(find: Callable[[], list[str]]) -> list[str]:
    """Find what a name may have, if it is one at all."""
    try:
        return find()
    except ValueError:
        return []


# DKIM: who signs


def _check_own_key(dkim: Dkim, own: str, names: "DomainNames") -> CheckResult:
    """Check that the key in use is the published one."""
    place = name_record(dkim)
    texts = names.find_texts(place)
    public_key = own.rpartition("p=")[2]
    if any(public_key == _read_tags(one).get("p", "") for one in texts):
        return CheckResult("DKIM", f"letters are signed; the key is published at {place}")
    if texts:
        words = f"another key is published at {place}, so every signature fails"
        return CheckResult("DKIM", f"{words}; publish this TXT record: {own}", well=False)
    return CheckResult("DKIM", _word_publishing(dkim, own), well=False)


def _describe_publishing(dkim: Dkim | None, own: str | None) -> Iterator[CheckResult]:
    """Say what to publish where nobody could look."""
    if dkim and own:
        yield CheckResult("DKIM", _word_publishing(dkim, own))


def _word_publishing(dkim: Dkim, own: str) -> str:
    return f"the public key belongs in a TXT record at {name_record(dkim)}: {own}"


def _find_usual_key(domain: str, names: "DomainNames") -> str | None:
    for one in _USUAL:
        place = f"{one}._domainkey.{domain}"
        if any("p" in _read_tags(text) for text in names.find_texts(place)):
            return place
    return None


def _describe_usual_key(domain: str, place: str | None) -> CheckResult:
    if place:
        return CheckResult("DKIM", f"a key is published at {place}; your provider may sign")
    words = (
        f"{domain} publishes no key under the usual names; look at the header of a letter for"
        " DKIM-Signature, and if there is none, set `dkim` of the postman in the settings"
    )
    return CheckResult("DKIM", words)


def _read_tags(record: str) -> dict[str, str]:
    pairs = (one.partition("=") for one in record.split(";"))
    return {name.strip().lower(): "".join(value.split()) for name, _, value in pairs}


# DMARC: what becomes of letters that fail both


def _check_dmarc(domain: str, names: "DomainNames") -> tuple[CheckResult, str | None]:
    labels = domain.split(".")
    above = [".".join(labels[at:]) for at in range(max(1, len(labels) - 1))]
    for one in above:  # a domain above speaks for those below it
        records = _list_records(names, f"_dmarc.{one}", "v=dmarc1")
        if not records:
            continue
        tags = _read_tags(records[0])
        policy = tags.get("p", "none").lower()
        if one != domain:
            policy = tags.get("sp", policy).lower()
        return CheckResult("DMARC", f"{records[0]} (at _dmarc.{one})"), policy
    words = f"{domain} has no record; for many letters a day publish v=DMARC1; p=none in a"
    return CheckResult("DMARC", f"{words} TXT record at _dmarc.{domain}"), None


# the host that sends, and what to expect


def _check_host(postman: SmtpOut, names: "DomainNames") -> Iterator[CheckResult]:
    """Check TLS, and the name of a server of one's own; a provider sees to its own."""
    if postman.user is not None:
        return
    addresses = _without_fault(lambda: names.find_addresses(postman.host))
    for one in addresses:
        if ip_address(one).is_global and not names.find_hosts(one):
            words = f"{one} ({postman.host}) has no name (PTR record): Gmail and Yahoo refuse it"
            yield CheckResult("host", f"{words}; your network's provider sets it", well=False)


def _foresee(standing: _Standing) -> Iterator[CheckResult]:
    """Say what large providers will do with letters of this address."""
    proofs = _count_proofs(standing)
    if not standing.spf and not standing.dkim:
        certain = standing.dkim is False
        unless = "" if certain else " unless your provider signs them (DKIM)"
        words = f"Gmail, Yahoo, Outlook.com and iCloud refuse letters without SPF and DKIM{unless}"
        yield CheckResult("providers", f"{words}; publish what is missing above", well=False)
    elif standing.policy is None:
        words = (
            f"Gmail, Yahoo, Outlook.com and iCloud take a few letters a day with {proofs}; without"
            " DMARC some of them go to spam, and of 5,000 letters a day all are refused"
        )
        yield CheckResult("providers", words)
    elif standing.policy in ("quarantine", "reject") and standing.dkim is None:
        does = "are refused" if standing.policy == "reject" else "go to spam"
        words = (
            f"letters that neither a server of the SPF record sends nor a key of this domain signs"
            f" {does} (DMARC p={standing.policy}); SPF is lost where a reader forwards letters, so"
            " make sure that they are signed"
        )
        yield CheckResult("providers", words)
    else:
        words = f"Gmail, Yahoo, Outlook.com and iCloud take letters with {proofs} and DMARC"
        more = "" if standing.dkim else "; signed ones (DKIM) also where a reader forwards them"
        yield CheckResult("providers", words + more)


def _count_proofs(standing: _Standing) -> str:
    proofs: Sequence[str] = [
        name for name, there in (("SPF", standing.spf), ("DKIM", standing.dkim)) if there
    ]
    return " and ".join(proofs)
