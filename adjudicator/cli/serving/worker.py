"""A thread that does one thing after the other and never keeps the program from ending."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


class Worker:
    """What blocks is done here; the executors of the standard library are waited for at exit."""

    def __init__(self, name: str) -> None:
        self._queue: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def do(self, work: Callable[[], T]) -> T:
        """The work's result, once its turn has come."""
        future: Future[T] = Future()
        self._queue.put((future, work))
        return await asyncio.wrap_future(future)

    def end(self) -> None:
        """Nothing more is taken; what is under way ends by itself."""
        self._queue.put(None)

    def _run(self) -> None:
        while (task := self._queue.get()) is not None:
            future, work = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = work()
            except BaseException as error:  # whoever waits gets it
                future.set_exception(error)
            else:
                future.set_result(result)
