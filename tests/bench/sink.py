"""`python -m tests.bench.sink`: a mail server that takes everything and keeps nothing.

It prints its port and ends with its standard input. It runs in a process of its own, as mail
servers do.
"""

import asyncio
import sys

_GREETING = b"220 sink\r\n"
_FINE = b"250 fine\r\n"
_ANSWERS = {
    b"EHLO": b"250-sink\r\n250-8BITMIME\r\n250 SIZE 10000000\r\n",
    b"DATA": b"354 go on\r\n",
    b"QUIT": b"221 bye\r\n",
}


async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One connection: letter after letter, each taken."""
    writer.write(_GREETING)
    while line := await reader.readline():
        word = line[:4].upper()
        writer.write(_ANSWERS.get(word, _FINE))
        if word == b"DATA":
            await reader.readuntil(b"\r\n.\r\n")
            writer.write(b"250 taken\r\n")
        elif word == b"QUIT":
            break
    writer.close()


async def _serve() -> None:
    server = await asyncio.start_server(talk, "127.0.0.1", 0, limit=2**20)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(_serve())
