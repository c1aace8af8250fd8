"""Letters out: our postman and bare aiosmtplib, to one server that takes everything."""

import asyncio
import ssl
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from time import perf_counter

from aiosmtplib import SMTP

from adjudicator.adapters.mail.accounts import SmtpOut
from adjudicator.adapters.mail.smtp import SmtpPostman
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.mail import Posting
from tests.bench import table

HOST = "127.0.0.1"
CONNECTIONS = 4
SINK = "tests.bench.sink"


class Sink:
    """The mail server's process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", SINK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())

    def close(self) -> None:
        """Let it end."""
        self._process.communicate()


class Mailing:
    """So many letters to be sent again and again, over as many connections each way."""

    def __init__(self, port: int, letters: Sequence[bytes]) -> None:
        self._port = port
        self._postings = [
            Posting("games@house.example", (f"{number}@players.example",), content)
            for number, content in enumerate(letters)
        ]

    def measure(self) -> Mapping[str, float]:
        """Letters a second: bare, and as the daemon sends them."""
        return asyncio.run(self._measure())

    async def _measure(self) -> Mapping[str, float]:
        return {table.BARE_SENT: await self._bare(), table.SENT: await self._ours()}

    async def _bare(self) -> float:
        """The library alone, on connections that are kept."""
        connections = [
            SMTP(hostname=HOST, port=self._port, use_tls=False, start_tls=False)
            for _ in range(CONNECTIONS)
        ]
        await asyncio.gather(*(smtp.connect() for smtp in connections))

        async def some(smtp: SMTP, left: Iterator[Posting]) -> None:
            for letter in left:
                await smtp.sendmail(letter.sender, list(letter.recipients), letter.content)

        async def send(letters: Sequence[Posting]) -> None:
            left = iter(letters)
            await asyncio.gather(*(some(smtp, left) for smtp in connections))

        rate = await self._rate(send)
        await asyncio.gather(*(smtp.quit() for smtp in connections))
        return rate

    async def _ours(self) -> float:
        """The postman, with what each recipient came to."""
        settings = SmtpOut(host=HOST, port=self._port, security="plain", connections=CONNECTIONS)
        postman = SmtpPostman(settings, None, ssl.create_default_context())

        async def send(letters: Sequence[Posting]) -> None:
            found = await asyncio.gather(*(postman.send(letter) for letter in letters))
            if any(one.status != "taken" for results in found for one in results):
                raise Refused(f"a letter was not taken: {found}")

        rate = await self._rate(send)
        await postman.close()
        return rate

    async def _rate(self, send: Callable[[Sequence[Posting]], Awaitable[None]]) -> float:
        """Letters a second, without the time that it takes to connect."""
        await send(self._postings[:CONNECTIONS])
        began = perf_counter()
        await send(self._postings)
        return len(self._postings) / (perf_counter() - began)
