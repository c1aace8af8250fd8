"""Telling systemd how we are, where it wants to know (sd_notify)."""

import os
import socket
import time
from collections.abc import Mapping


class Notifier:
    """Sends nothing where nobody listens."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        meant = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.watchdog = int(environment.get("WATCHDOG_USEC", "0")) / 1e6 if meant else 0.0
        """Seconds within which we must say that we live; 0: nobody waits for it."""

    def say(self, *words: str) -> None:
        """READY=1 and the like; a manager that does not listen is no fault of ours."""
        if not self._address:
            return
        name = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
                channel.settimeout(1)
                channel.sendto("\n".join(words).encode(), name)
        except OSError:
            return

    def reloading(self) -> None:
        """With the time, as `Type=notify-reload` wants it."""
        self.say("RELOADING=1", f"MONOTONIC_USEC={time.monotonic_ns() // 1000}")
