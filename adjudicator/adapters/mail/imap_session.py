"""One connection to an IMAP server: its commands, and what real servers do instead."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from imapclient.exceptions import IMAPClientAbortError, IMAPClientError
from msgspec import Struct

from adjudicator.adapters.mail.accounts import (
    TOGETHER,
    ImapBox,
)
from adjudicator.adapters.mail.imap_client import IMAP_ERRORS, ImapClient
from adjudicator.desk.model.mail import MAX_HEADER_BYTES, MAX_LETTER_BYTES, Parcel
from adjudicator.desk.model.ports import Choose

_DONE_FLAG = b"$Adjudicated"
_BEGINNING = b"BODY.PEEK[HEADER]<0.%d>" % MAX_HEADER_BYTES
_GLANCED = b"BODY.PEEK[]<0.16384>"
_NAMED = 200
"""Letters that one command names: servers take lines of 8000 bytes (RFC 2683, 3.2.1.5)."""
_ANSWER = 8 * 1024 * 1024
"""Bytes of letters in one answer of the server, and the one that goes beyond."""


class _Head(Struct, frozen=True):
    """What is known of a letter before it is read."""

    uid: int
    size: int
    arrived: datetime


class ImapSession:
    """One that is logged in, with the folder selected; any error ends it, and a new one is made."""

    def __init__(
        self,
        settings: ImapBox,
        client: ImapClient,
        clock: Callable[[], float],
        sleep: Callable[[float], None],
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
        self._client = client
        try:
            self._done = self._open_done_folder()
            self._idle = settings.idle and self._client.has_capability("IDLE")
            answer = self._client.select_folder(settings.folder)
            self._validity = int(answer[b"UIDVALIDITY"])
            if self._done is None:
                self._must_keep_flags(answer)
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        """Log out if that is quick, else disconnect."""
        with suppress(*IMAP_ERRORS):
            self._client.socket().settimeout(2)
            self._leave_idle()
            self._client.logout()
        with suppress(*IMAP_ERRORS):
            self._client.shutdown()

    def fetch(self, limit: int, choose: Choose | None = None) -> tuple[Parcel, ...]:
        """Fetch the oldest unprocessed letters, as many as fit into one answer."""
        waiting = self._list_waiting()
        self._highest = max(waiting, default=0)
        self._cut = len(waiting) > limit
        if choose and self._cut:
            order = choose([self._name(uid) for uid in waiting], self._look)
            waiting = [_read_uid(one) for one in order]
        parcels: list[Parcel] = []
        for portion in self._list_portions(waiting[:limit]):
            parcels.extend(self._fetch_parcels(portion))
            if sum(len(parcel.content or b"") for parcel in parcels) >= TOGETHER:
                self._cut = True
                break
        return tuple(parcels)

    def _name(self, uid: int) -> str:
        return f"{self._validity}.{uid}"

    def _look(self, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Fetch the beginnings of letters, a few in each answer of the server."""
        for part in _part([_read_uid(one) for one in names]):
            for uid, content in self._fetch_bodies(part, _GLANCED):
                yield self._name(uid), content

    def _fetch_bodies(self, uids: Sequence[int], item: bytes) -> Iterator[tuple[int, bytes]]:
        for uid, parts in self._client.fetch(uids, [item]).items():
            for name, content in parts.items():  # whatever the server calls the part
                if name.startswith(b"BODY[") and content is not None:
                    yield uid, content

    def reread(self, since: datetime) -> tuple[Parcel, ...]:
        """Read processed letters again; the session is useless for anything else afterwards."""
        self._leave_idle()
        # IMAP searches by day only, in the server's time zone
        criteria: list[Any] = ["SINCE", since.date() - timedelta(days=1)]
        if self._done is None:
            criteria += ["KEYWORD", _DONE_FLAG]
        else:
            self._client.select_folder(self._done, readonly=True)
        uids = sorted(int(uid) for uid in self._client.search(criteria))
        read = [
            one for portion in self._list_portions(uids) for one in self._fetch_parcels(portion)
        ]
        late = [one for one in read if one.arrived >= since]
        return tuple(sorted(late, key=lambda one: one.arrived))

    def file_away(self, ids: Sequence[str]) -> None:
        """File letters away; those of an older UIDVALIDITY return under new names, then known."""
        names = (parcel.partition(".") for parcel in ids)
        own = {int(uid) for validity, _, uid in names if int(validity) == self._validity}
        uids = [uid for uid in self._list_waiting() if uid in own]
        if uids and self._done is None:
            self._client.add_flags(uids, [_DONE_FLAG], silent=True)
        elif uids and self._client.has_capability("MOVE"):
            self._client.move(uids, self._done)
        elif uids:
            self._client.copy(uids, self._done)
            self._client.delete_messages(uids, silent=True)
            # a bare EXPUNGE would also remove what the GM marked as deleted
            if self._client.has_capability("UIDPLUS"):
                self._client.expunge(uids)
        if self._cut:
            self._highest = 0

    def _list_waiting(self) -> list[int]:
        """List all unprocessed letters, after a NOOP: a server may hold back new ones."""
        self._leave_idle()
        self._client.noop()
        criteria: list[Any] = ["UNDELETED"]
        if self._done is None:
            criteria += ["UNKEYWORD", _DONE_FLAG]
        self._looked = self._clock()
        return sorted(int(uid) for uid in self._client.search(criteria))

    def _list_portions(self, uids: list[int]) -> Iterator[list[_Head]]:
        """List runs of letters whose total size is about the limit of one answer."""
        for part in _part(uids):
            # sizes before bodies, since letters may be huge
            answer = self._client.fetch(part, [b"RFC822.SIZE", b"INTERNALDATE"])
            portion: list[_Head] = []
            size = 0
            for uid in part:
                facts = answer.get(uid, {})
                if b"RFC822.SIZE" not in facts:
                    continue
                head = _Head(uid, int(facts[b"RFC822.SIZE"]), _read_arrival(facts))
                portion.append(head)
                size += head.size if head.size <= MAX_LETTER_BYTES else 0
                if size >= _ANSWER:
                    yield portion
                    portion, size = [], 0
            if portion:
                yield portion

    def _fetch_parcels(self, heads: Sequence[_Head]) -> Iterator[Parcel]:
        read: dict[int, bytes] = {}
        for part, beginning in ((b"BODY.PEEK[]", False), (_BEGINNING, True)):
            uids = [head.uid for head in heads if (head.size > MAX_LETTER_BYTES) == beginning]
            read.update(self._fetch_bodies(uids, part))
        for head in heads:
            if head.uid not in read:
                continue  # deleted by somebody meanwhile
            content = read[head.uid]
            size = max(head.size, len(content))
            too_big = size > MAX_LETTER_BYTES
            yield Parcel(
                id=self._name(head.uid),
                arrived=head.arrived,
                size=size,
                content=None if too_big else content,
                head=content[:MAX_HEADER_BYTES] if too_big else b"",
            )

    def wait(self, seconds: float) -> bool:
        """Wait until something may have arrived; IDLE stays open from one call to the next."""
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
        rest = self._since + self._settings.renew - self._clock()
        lines = self._check_idle(max(0.0, min(seconds, rest)))
        if self._clock() - self._since >= self._settings.renew:
            self._leave_idle()
        return any(len(line) > 1 and line[1] in (b"EXISTS", b"RECENT") for line in lines)

    def _check_idle(self, seconds: float) -> Sequence[tuple[Any, ...]]:
        """Check IDLE, and probe a silent connection, since imapclient never reports a lost one."""
        start = time.monotonic()
        lines: Sequence[tuple[Any, ...]] = self._client.idle_check(timeout=seconds)
        if any(line and line[0] == b"BYE" for line in lines):
            raise IMAPClientAbortError("socket error: BYE")
        if not lines and time.monotonic() - start < seconds / 2:
            self._leave_idle()  # raises if it is so
        return lines

    def _leave_idle(self) -> None:
        if self._idling:
            self._idling = False
            self._client.idle_done()

    def _has_news(self) -> bool:
        """Whether a letter newer than the last fetch arrived before IDLE began.

        An EXISTS that comes with the answer to the search belongs to a letter that is not in it.
        """
        for _ in range(2):
            self._has_announcement()
            if any(uid > self._highest for uid in self._list_waiting()):
                return True
            if not self._has_announcement():
                return False
        return True

    def _has_announcement(self) -> bool:
        """Whether the server announced a new letter unasked; imapclient has no method for this."""
        return bool(self._client._imap.response("EXISTS")[1] != [None])  # noqa: SLF001

    def _open_done_folder(self) -> str | None:
        """Open the Done folder, below INBOX where a server demands that."""
        name = self._settings.done
        if name is None or self._keeps_everything():
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

    def _keeps_everything(self) -> bool:
        """Whether letters stay in the folder wherever they are moved, as in Gmail's All Mail."""
        own = self._settings.folder
        folders = self._client.list_folders("", own) if own.upper() != "INBOX" else ()
        return any(b"\\All" in flags for flags, _, _ in folders)

    def _must_keep_flags(self, answer: dict[bytes, Any]) -> None:
        flags = answer.get(b"PERMANENTFLAGS", ())
        if b"\\*" not in flags and _DONE_FLAG not in flags:
            raise IMAPClientError(
                "the server keeps no flags in this folder; set `done` to the name of a folder"
            )


def _part(uids: list[int]) -> Iterator[list[int]]:
    """Part many letters into as many as one command names."""
    for start in range(0, len(uids), _NAMED):
        yield uids[start : start + _NAMED]


def _read_uid(name: str) -> int:
    return int(name.partition(".")[2])


def _read_arrival(head: dict[bytes, Any]) -> datetime:
    arrived = head.get(b"INTERNALDATE")
    if not isinstance(arrived, datetime):
        raise IMAPClientError("the server does not say when a letter arrived (INTERNALDATE)")
    return arrived
