"""Claim and render outgoing letters, send them, and keep the mail server's answers."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from msgspec import Struct

from adjudicator.adapters.mail.troubles import Backoff
from adjudicator.adapters.store.trouble import StoreTrouble
from adjudicator.cli.serving.log import Log, locate_error
from adjudicator.cli.serving.runtime import Runtime, Worker
from adjudicator.desk.model.errors import Already
from adjudicator.desk.model.mail import Sent
from adjudicator.desk.model.ports import Books, Postman
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.outbox import send
from adjudicator.desk.outbox.send import Dispatch

POSTMAN_PLACE = "postman"
_HELD = timedelta(minutes=15)
"""How long a claim on a letter lasts; longer than any server takes."""
_AT_ONCE, _OTHERS_AT_ONCE = 8, 2
"""Letters of a handful. Few are written in one transaction, for which others wait, and letters
that are not urgent leave connections free."""
_CODE = re.compile(r"[245]\d\d(?:[ -]|$)")
_LOOK = 1.0
"""Seconds between two looks for letters that another program queued."""
_LONG_LOOK = 60.0

_T = TypeVar("_T")
Pen = Callable[[send.Writing], Awaitable[send.Written]]
"""Writes a letter when its turn comes."""


class LettersOut:
    """The outbox and its postman, in two lanes that do not wait for each other."""

    def __init__(self, runtime: Runtime, owner: str, postman: Postman, writer: send.Writer) -> None:
        self._runtime = runtime
        self._postman = postman
        self._worker = Worker("letters out")
        pen = partial(self._write_letter, writer)
        self._lanes = (
            _Lane(runtime, owner, postman, pen, urgent=True),
            _Lane(runtime, owner, postman, pen, urgent=False),
        )

    async def run(self) -> None:
        """Send letters until everything stops."""
        runtime = self._runtime
        async with asyncio.TaskGroup() as tasks:
            for lane in self._lanes:
                tasks.create_task(lane.run())
            while not runtime.stop.is_set():
                runtime.post.clear()
                for lane in self._lanes:
                    lane.wake.set()
                await runtime.pause(_LOOK, runtime.post)

    async def close(self) -> None:
        """Log out of the server."""
        self._worker.end()
        await self._postman.close()

    async def _write_letter(self, writer: send.Writer, writing: send.Writing) -> send.Written:
        """Write a letter while others use the books: pictures take their time."""
        return await self._worker.do(partial(send.write_letter, writer, writing))

    async def round(self) -> int:
        """Send a few urgent letters, then a few others."""
        return sum([await lane.round() for lane in self._lanes])


class _Sending(Struct, frozen=True):
    """A letter that was handed to the postman, what was said to it, and when."""

    letter: OutgoingLetter
    results: Sequence[Sent]
    at: datetime


class _Lane:
    """The urgent letters of the outbox, or the others: press, and letters to strangers."""

    def __init__(
        self, runtime: Runtime, owner: str, postman: Postman, pen: Pen, *, urgent: bool
    ) -> None:
        self._runtime = runtime
        self._owner = owner
        self._postman = postman
        self._pen = pen
        self._urgent = urgent
        self._backoff = Backoff(first=1.0, most=15.0)
        self._away = False
        self.wake = asyncio.Event()
        """Set when there may be letters to send."""

    async def run(self) -> None:
        """Send letters until everything stops."""
        runtime = self._runtime
        while not runtime.stop.is_set():
            self.wake.clear()
            try:
                count = await self.round()
            except StoreTrouble:
                await runtime.recover()
                continue
            except Exception as error:  # whatever failed, the outbox is checked again
                runtime.troubles.begin(POSTMAN_PLACE, locate_error(error), runtime.now())
                self._away, count = True, 1
            if self._away and count:
                loop = asyncio.get_running_loop()
                self._backoff.failed(loop.time())
                await runtime.pause(self._backoff.count_seconds(loop.time()))
            elif not count:
                await runtime.pause(_LONG_LOOK, self.wake)

    async def round(self) -> int:
        """Send a few letters; while the server is away, only one as a trial."""
        runtime = self._runtime
        at = runtime.now()
        claimed = await runtime.write(lambda books: self._claim(books, at))
        if self._urgent:
            some = bool(claimed.ready or claimed.writings)
            runtime.note_sending(is_sending=some and not self._away)
        ready = [*claimed.ready, *await self._write(claimed.writings, at)]
        await self._send(ready)
        return len(ready)

    async def _write(self, writings: Sequence[send.Writing], at: datetime) -> Sequence[Dispatch]:
        """Write letters, and keep them."""
        letters = [await self._pen(writing) for writing in writings]
        dispatches = await self._keep(letters, at) if letters else ()
        for dispatch in dispatches:
            posting, facts = dispatch.posting, _describe_letter(dispatch.letter)
            facts |= {"number": dispatch.letter.number, "bytes": len(posting.content)}
            log = self._log(dispatch.letter)
            log.info("letter written", **facts, recipients=len(posting.recipients))
        return dispatches

    async def _keep(self, letters: Sequence[send.Written], at: datetime) -> Sequence[Dispatch]:
        """Keep what was written; a letter that is withdrawn at this moment holds no other up."""
        secret, house = self._runtime.secret, self._runtime.settings.house
        keep = partial(send.keep_letters, drafts=letters, secret=secret, house=house, at=at)
        try:
            return await self._insist(keep)
        except Already:
            alone = [await self._keep((one,), at) for one in letters if len(letters) > 1]
            return [dispatch for dispatches in alone for dispatch in dispatches]

    async def _insist(self, work: Callable[[Books], _T]) -> _T:
        """Write as soon as the database can be written: nobody else does before a claim ends."""
        runtime = self._runtime
        while True:
            try:
                return await runtime.write(work)
            except StoreTrouble:
                if runtime.stop.is_set():
                    raise
                await runtime.recover()

    def _log(self, letter: OutgoingLetter) -> Log:
        """Return a log bound to a letter's trace id."""
        return self._runtime.log.bind(trace=send.find_trace_id(letter))

    def _claim(self, books: Books, at: datetime) -> send.Claimed:
        """Claim the letters to send now."""
        return send.claim_letters(
            books,
            library=self._runtime.office.library,
            owner=self._owner,
            until=at + _HELD,
            at=at,
            limit=1 if self._away else _AT_ONCE if self._urgent else _OTHERS_AT_ONCE,
            secret=self._runtime.secret,
            house=self._runtime.settings.house,
            urgent=self._urgent,
        )

    async def _send(self, dispatches: Sequence[Dispatch]) -> None:
        """Send letters; what became of those sent in the meantime is kept in one transaction."""
        sendings = {asyncio.ensure_future(self._send_letter(one)) for one in dispatches}
        records: list[asyncio.Future[None]] = []
        while sendings:
            ready, sendings = await asyncio.wait(sendings, return_when=asyncio.FIRST_COMPLETED)
            records.append(asyncio.ensure_future(self._record([one.result() for one in ready])))
            await asyncio.wait(records[-1:])
        await asyncio.gather(*records)

    async def _send_letter(self, dispatch: Dispatch) -> _Sending:
        try:
            results: Sequence[Sent] = await self._postman.send(dispatch.posting)
        except Exception as error:  # a postman should never raise; if one does, the letter is kept
            results = [
                Sent(name, "later", locate_error(error)) for name in dispatch.posting.recipients
            ]
        return _Sending(dispatch.letter, results, self._runtime.now())

    async def _record(self, sendings: Sequence[_Sending]) -> None:
        """Keep what became of letters; one of which that fails holds no other up."""
        house = self._runtime.settings.house

        def work(books: Books) -> list[OutgoingLetter]:
            return [
                send.record_delivery(books, one.letter, one.results, at=one.at, house=house)
                for one in sendings
            ]

        try:
            letters = await self._insist(work)
        except StoreTrouble:
            raise
        except Exception as error:
            if len(sendings) > 1:
                await asyncio.gather(*(self._record([one]) for one in sendings))
                return
            if not isinstance(error, Already):
                raise
            letter = sendings[0].letter  # withdrawn while being sent; another notice says so
            self._log(letter).info("letter withdrawn under way", **_describe_letter(letter))
            return
        for letter, one in zip(letters, sendings, strict=True):
            self._log_result(letter, one.results)

    def _log_result(self, letter: OutgoingLetter, results: Sequence[Sent]) -> None:
        """Log one line per letter; while the server is silent, one line for all."""
        away = [
            one.reply
            for one in results
            if one.status == "later" and (one.for_all or not _is_server_reply(one.reply))
        ]
        self._away = bool(away)
        if away:
            self._runtime.troubles.begin(POSTMAN_PLACE, away[0], self._runtime.now())
            return
        self._runtime.troubles.end(POSTMAN_PLACE, self._runtime.now())
        self._backoff.worked()
        log, facts = self._log(letter), _describe_letter(letter)
        if letter.status == "sent":
            log.info("letter out", **facts, message_id=letter.message_id)
        else:
            reply = next((one.reply for one in results if one.status != "taken"), "")
            log.warning("letter not taken", **facts, status=letter.status, said=reply)


def _describe_letter(letter: OutgoingLetter) -> dict[str, Any]:
    return {"game": letter.game or "-", "kind": letter.kind, "seat": letter.seat}


def _is_server_reply(reply: str) -> bool:
    """Whether the error came from a mail server rather than the network."""
    return _CODE.match(reply) is not None
