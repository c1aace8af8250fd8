"""One connection to an IMAP server: its commands, and the traps on the way."""

import logging
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError
from msgspec import Struct

from adjudicator.adapters.mail.access import Secret
from adjudicator.adapters.mail.accounts import (
    HEAD_BYTES,
    MAX_FETCHED_BYTES,
    TOGETHER,
    ImapBox,
)
from adjudicator.desk.model.mail import Parcel

IMAP_ERRORS = (IMAPClientError, OSError, ValueError, LookupError, TypeError)
"""What a broken connection, a refusal or a babbling server raises."""
DONE_FLAG = b"$Adjudicated"
_BATCH = 100
"""More a command gains 9 % and holds ten times the letters in memory."""
_BEGINNING = b"BODY.PEEK[HEADER]<0.%d>" % HEAD_BYTES
_ANSWER = 8 * 1024 * 1024
"""Bytes of letters in one answer of the server, and the one that goes beyond."""

# imaplib's own debugging writes whole letters, and AUTHENTICATE with the password
logging.getLogger("imapclient.imaplib").setLevel(logging.WARNING)


class _Head(Struct, frozen=True):
    """What is known of a letter before it is read."""

    uid: int
    size: int
    arrived: datetime


class _Client(IMAPClient):  # type: ignore[misc]  # it has no types
    """In IDLE the socket is polled, but a line may be here already, read with the one before."""

    def _poll_socket(self, sock: socket.socket, timeout: float | None = None) -> Sequence[object]:
        # idle_check has made the socket one that does not block
        with suppress(ssl.SSLWantReadError):
            if line := self._imap.file.peek():
                return [line]
        polled: Sequence[object] = super()._poll_socket(sock, timeout)
        return polled


class Session:
    """Logged in, with the folder selected; any error ends it, and a new one is made."""

    def __init__(
        self,
        settings: ImapBox,
        password: Secret,
        context: ssl.SSLContext,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._sleep = sleep
        self._idling = False
        self._since = self._looked = clock()
        self._highest = 0
        """Nothing up to this UID is news to who waits."""
        self._cut = False
        """The last fetch left something for the next one."""
        self._client = connect_imap(settings, context)
        try:
            log_in(self._client, settings.user, password)
            self._done = self._open_done_folder()
            self._idle = settings.idle and self._client.has_capability("IDLE")
            chosen = self._client.select_folder(settings.folder)
            self._validity = int(chosen[b"UIDVALIDITY"])
            if self._done is None:
                self._must_keep_flags(chosen)
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        """Politely when that is quick, else by hanging up."""
        with suppress(*IMAP_ERRORS):
            self._client.socket().settimeout(2)
            self._leave_idle()
            self._client.logout()
        with suppress(*IMAP_ERRORS):
            self._client.shutdown()

    # --- letters ---

    def fetch(self, limit: int) -> tuple[Parcel, ...]:
        """The oldest letters that are not done with; as many as fit into one answer."""
        waiting = self._list_waiting()
        self._highest = max(waiting, default=0)
        self._cut = len(waiting) > limit
        parcels: list[Parcel] = []
        for batch in _split_batches(waiting[:limit]):
            heads = self._fetch_heads(batch)
            for portion in _split_portions(heads):
                parcels.extend(self._fetch_parcels(portion))
                if sum(len(parcel.content or b"") for parcel in parcels) >= TOGETHER:
                    self._cut = True
                    return tuple(parcels)
        return tuple(parcels)

    def file_away(self, ids: Sequence[str]) -> None:
        """Letters of an older UIDVALIDITY come again under new names, and are known then."""
        uids = {int(uid) for validity, uid in map(_split_id, ids) if validity == self._validity}
        for batch in _split_batches([uid for uid in self._list_waiting() if uid in uids]):
            if self._done is None:
                self._client.add_flags(batch, [DONE_FLAG], silent=True)
            elif self._client.has_capability("MOVE"):
                self._client.move(batch, self._done)
            else:
                self._client.copy(batch, self._done)
                self._client.delete_messages(batch, silent=True)
                # a bare EXPUNGE would also take away what the GM marked as deleted
                if self._client.has_capability("UIDPLUS"):
                    self._client.expunge(batch)
        if self._cut:
            self._highest = 0

    def _list_waiting(self) -> list[int]:
        """All that is not done with, NOOP first: a server may sit on what has just arrived."""
        self._leave_idle()
        self._client.noop()
        wanted: list[Any] = ["UNDELETED"]
        if self._done is None:
            wanted += ["UNKEYWORD", DONE_FLAG]
        self._looked = self._clock()
        return sorted(int(uid) for uid in self._client.search(wanted))

    def _fetch_heads(self, uids: list[int]) -> list[_Head]:
        """Sizes before bodies: who knows what lies there."""
        found = self._client.fetch(uids, [b"RFC822.SIZE", b"INTERNALDATE"])
        return [
            _Head(uid, int(found[uid][b"RFC822.SIZE"]), _read_arrival(found[uid]))
            for uid in uids
            if b"RFC822.SIZE" in found.get(uid, {})
        ]

    def _fetch_parcels(self, heads: Sequence[_Head]) -> Iterator[Parcel]:
        small = [head.uid for head in heads if head.size <= MAX_FETCHED_BYTES]
        big = [head.uid for head in heads if head.size > MAX_FETCHED_BYTES]
        read = self._fetch_parts(small, b"BODY.PEEK[]") | self._fetch_parts(big, _BEGINNING)
        for head in heads:
            if head.uid not in read:
                continue  # taken away by somebody meanwhile
            content = read[head.uid]
            size = max(head.size, len(content))
            too_big = size > MAX_FETCHED_BYTES
            yield Parcel(
                id=f"{self._validity}.{head.uid}",
                arrived=head.arrived,
                size=size,
                content=None if too_big else content,
                head=content[:HEAD_BYTES] if too_big else b"",
            )

    def _fetch_parts(self, uids: list[int], part: bytes) -> dict[int, bytes]:
        """One part of each letter, whatever name the server gives it; none has two."""
        found = self._client.fetch(uids, [part]) if uids else {}
        return {
            uid: content
            for uid in uids
            for name, content in found.get(uid, {}).items()
            if name.startswith(b"BODY[") and content is not None
        }

    # --- waiting ---

    def wait(self, seconds: float) -> bool:
        """True when something may have arrived; IDLE is kept open from one call to the next."""
        if self._highest == 0 and self._cut:
            return True
        until = self._clock() + seconds
        look = self._look_idling if self._idle else self._look_polling
        while not look(max(0.0, until - self._clock())):
            if self._clock() >= until:
                return False
        return True

    def _look_polling(self, seconds: float) -> bool:
        due = self._looked + self._settings.poll - self._clock()
        self._sleep(max(0.0, min(seconds, due)))
        return due <= seconds and self._has_news()

    def _look_idling(self, seconds: float) -> bool:
        if not self._idling:
            if self._has_news():
                return True
            self._client.idle()
            self._idling = True
            self._since = self._clock()
        left = self._since + self._settings.renew - self._clock()
        lines = self._check_idle(max(0.0, min(seconds, left)))
        if self._clock() - self._since >= self._settings.renew:
            self._leave_idle()
        return any(len(line) > 1 and line[1] in (b"EXISTS", b"RECENT") for line in lines)

    def _check_idle(self, seconds: float) -> Sequence[tuple[Any, ...]]:
        """imapclient says nothing, at once and for ever, when the server has gone: ask for more."""
        begun = time.monotonic()
        lines: Sequence[tuple[Any, ...]] = self._client.idle_check(timeout=seconds)
        if any(line and line[0] == b"BYE" for line in lines):
            raise IMAPClientAbortError("socket error: BYE")
        if not lines and time.monotonic() - begun < seconds / 2:
            self._leave_idle()  # raises if it is so
        return lines

    def _leave_idle(self) -> None:
        if self._idling:
            self._idling = False
            self._client.idle_done()

    def _has_news(self) -> bool:
        """Something newer than the last fetch saw, announced in no IDLE: it came before IDLE began.

        An EXISTS that comes with the answer to the search belongs to a letter that is not in it.
        """
        for _ in range(2):
            self._was_told_of_news()
            if any(uid > self._highest for uid in self._list_waiting()):
                return True
            if not self._was_told_of_news():
                return False
        return True

    def _was_told_of_news(self) -> bool:
        """imaplib collects what the server says unasked; imapclient has no word for it."""
        _, came = self._client._imap.response("EXISTS")  # noqa: SLF001
        return bool(came != [None])

    # --- setting up ---

    def _open_done_folder(self) -> str | None:
        """Some servers want every folder below INBOX; they say so when they are asked."""
        name = self._settings.done
        if name is None:
            return None
        if self._client.has_capability("NAMESPACE"):
            personal = self._client.namespace().personal
            prefix = personal[0][0] if personal else ""
            if prefix and not name.startswith(prefix):
                name = f"{prefix}{name}"
        if not self._client.folder_exists(name):
            self._client.create_folder(name)
            self._client.subscribe_folder(name)
        return str(name)

    def _must_keep_flags(self, chosen: dict[bytes, Any]) -> None:
        kept = chosen.get(b"PERMANENTFLAGS", ())
        if b"\\*" not in kept and DONE_FLAG not in kept:
            raise IMAPClientError(
                "the server keeps no flags in this folder; set `done` to the name of a folder"
            )


def connect_imap(settings: ImapBox, context: ssl.SSLContext) -> _Client:
    """Encrypted as the settings say; raises what imapclient, the network or TLS raise."""
    client = _Client(
        settings.host,
        port=settings.number,
        ssl=settings.security == "tls",
        ssl_context=context,
        timeout=SocketTimeout(settings.timeout, settings.timeout),
    )
    client.normalise_times = False  # INTERNALDATE with its own UTC offset
    if settings.security == "starttls":
        try:
            client.starttls(context)
        except BaseException:
            client.shutdown()
            raise
    return client


def log_in(client: _Client, user: str, password: Secret) -> None:
    """By LOGIN, or by PLAIN for other letters than ASCII's; raises LoginError."""
    if client.has_capability("LOGINDISABLED"):
        raise LoginError("the server takes no password on this connection; set `security` to tls")
    if (user + password.reveal()).isascii():
        client.login(user, password.reveal())
    elif client.has_capability("AUTH=PLAIN"):
        client.plain_login(user, password.reveal())
    else:
        raise LoginError("the server takes passwords in ASCII only; choose another password")


def _read_arrival(head: dict[bytes, Any]) -> datetime:
    arrived = head.get(b"INTERNALDATE")
    if not isinstance(arrived, datetime):
        raise IMAPClientError("the server does not say when a letter arrived (INTERNALDATE)")
    return arrived


def _split_id(parcel: str) -> tuple[int, int]:
    validity, _, uid = parcel.partition(".")
    return int(validity), int(uid)


def _split_batches(uids: Sequence[int]) -> Iterator[list[int]]:
    for start in range(0, len(uids), _BATCH):
        yield list(uids[start : start + _BATCH])


def _split_portions(heads: Sequence[_Head]) -> Iterator[list[_Head]]:
    """Runs of letters whose contents are together not much more than one answer may be."""
    portion: list[_Head] = []
    size = 0
    for head in heads:
        portion.append(head)
        size += head.size if head.size <= MAX_FETCHED_BYTES else 0
        if size >= _ANSWER:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion
