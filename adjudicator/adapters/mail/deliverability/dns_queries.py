"""Questions to the DNS, as `doctor` asks them."""

from ipaddress import ip_address

import dns.exception
import dns.resolver
import dns.reversename

RESERVED = ("test", "example", "invalid", "localhost", "example.com", "example.net", "example.org")
"""DomainNames that belong to nobody (RFC 2606): they are never looked up."""
_PATIENCE = 4.0
"""Seconds to wait for an answer."""


class NoNamesError(Exception):
    """No name server answers."""


class DomainNames:
    """Answers of name servers, each asked for once."""

    def __init__(
        self, resolver: dns.resolver.Resolver | None = None, patience: float = _PATIENCE
    ) -> None:
        self._resolver = resolver
        self._patience = patience
        self._answers: dict[tuple[str, str], list[str]] = {}

    def find_texts(self, name: str) -> list[str]:
        """Find the texts published under a name; raises NoNamesError."""
        return self._find(name, "TXT")

    def find_addresses(self, name: str) -> list[str]:
        """Find the IP addresses of a host; raises NoNamesError."""
        return [*self._find(name, "A"), *self._find(name, "AAAA")]

    def find_mail_hosts(self, name: str) -> list[str]:
        """Find the hosts that take a domain's letters; raises NoNamesError."""
        return [one.split()[-1].rstrip(".") for one in self._find(name, "MX")]

    def find_hosts(self, address: str) -> list[str]:
        """Find the names of an IP address; raises NoNamesError."""
        name = dns.reversename.from_address(str(ip_address(address)))
        return [one.rstrip(".") for one in self._find(str(name), "PTR")]

    def _find(self, name: str, kind: str) -> list[str]:
        if (name, kind) not in self._answers:
            self._answers[name, kind] = self._ask(name, kind)
        return self._answers[name, kind]

    def _ask(self, name: str, kind: str) -> list[str]:
        try:
            self._resolver = self._resolver or dns.resolver.Resolver()
            answer = self._resolver.resolve(name, kind, lifetime=self._patience)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        except (dns.exception.DNSException, OSError) as error:
            words = " ".join(str(error).split()) or type(error).__name__
            raise NoNamesError(words[:200]) from error
        if kind == "TXT":  # a long text comes in pieces
            return [b"".join(one.strings).decode("utf-8", "replace") for one in answer]
        return [one.to_text() for one in answer]


def is_reserved(name: str) -> bool:
    """Whether a name belongs to nobody."""
    return any(name == one or name.endswith(f".{one}") for one in RESERVED)
