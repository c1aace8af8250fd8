"""A name server of a few records, on this machine."""

import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import dns.flags
import dns.message
import dns.rcode
import dns.resolver
import dns.rrset

Zone = Mapping[tuple[str, str], Sequence[str]]
"""Records by name and kind, as a zone file writes them."""


@contextmanager
def named(zone: Zone) -> Iterator[dns.resolver.Resolver]:
    """Gives a resolver that asks it; the server is a thread."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ours:
        ours.bind(("127.0.0.1", 0))
        server = threading.Thread(target=_serve, args=(ours, zone))
        server.start()
        resolver = dns.resolver.Resolver(configure=False)
        resolver.nameservers = ["127.0.0.1"]
        resolver.port = ours.getsockname()[1]
        try:
            yield resolver
        finally:
            ours.sendto(b"", ours.getsockname())
            server.join()


def _serve(ours: socket.socket, zone: Zone) -> None:
    while True:
        wire, asker = ours.recvfrom(4096)
        if not wire:
            return
        asked = dns.message.from_wire(wire)
        answer = dns.message.make_response(asked)
        (question,) = asked.question
        name = question.name.to_text(omit_final_dot=True).lower()
        found = zone.get((name, dns.rdatatype.to_text(question.rdtype)), ())
        if found:
            answer.answer.append(
                dns.rrset.from_text_list(question.name, 60, "IN", question.rdtype, found)
            )
        elif not any(name == known for known, _ in zone):
            answer.set_rcode(dns.rcode.NXDOMAIN)
        ours.sendto(answer.to_wire(), asker)
