"""The server under systemd: its unit, and the messages that it sends to systemd (sd_notify).

sdnotify would save eight lines: it knows no watchdog, swallows KeyboardInterrupt, and had its last
release in 2017.
"""

import getpass
import os
import shlex
import socket
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

UNIT_TEMPLATE = """\
# /etc/systemd/system/adjudicator.service
#   systemctl daemon-reload && systemctl enable --now adjudicator
#   journalctl -u adjudicator -f          the log
#   systemctl reload adjudicator          reloads the settings
[Unit]
Description=Adjudicator, games played by mail
Wants=network-online.target
After=network-online.target

[Service]
Type=notify
NotifyAccess=main
ExecStart={command} serve --config {config}
ExecReload=/bin/kill -HUP $MAINPID
User={user}
UMask=0077
WatchdogSec=5min
TimeoutStartSec=2min
TimeoutStopSec=15s
Restart=on-failure
RestartSec=10s
# 2: the settings are wrong, which no restart mends
RestartPreventExitStatus=2
# passwords, if the settings name `credential:`
#LoadCredential=imap-password:/etc/adjudicator/imap-password
NoNewPrivileges=yes
PrivateTmp=yes
ProtectSystem=strict
ProtectKernelTunables=yes
ProtectControlGroups=yes
RestrictSUIDSGID=yes
ReadWritePaths={writable}

[Install]
WantedBy=multi-user.target
"""


BACKUP_TEMPLATE = """\
# /etc/systemd/system/adjudicator-backup.service
#   install -d -m 700 -o {user} {backups}
#   a folder on another disk is better
[Unit]
Description=Backup of the games played by mail, read back and replayed

[Service]
Type=oneshot
Environment=ADJUDICATOR_CONFIG={config}
ExecStart={command} backup {backups} --home {home} --verify --keep 14
# to encrypt it, add to that line: --passphrase credential:backup
#LoadCredential=backup:/etc/adjudicator/backup-passphrase
User={user}
UMask=0077
Nice=10
NoNewPrivileges=yes
PrivateTmp=yes
ProtectSystem=strict
ReadWritePaths={existing} -{backups}
"""

TIMER_TEMPLATE = """\
# /etc/systemd/system/adjudicator-backup.timer
#   systemctl daemon-reload && systemctl enable --now adjudicator-backup.timer
#   systemctl list-timers adjudicator-backup        when it ran and runs next
[Unit]
Description=Every night a backup of the games played by mail

[Timer]
OnCalendar=*-*-* 03:15
RandomizedDelaySec=30min
Persistent=yes

[Install]
WantedBy=timers.target
"""
_BACKUPS = "/var/backups/adjudicator"


def render_units(config: Path, home: str, writable: Iterable[str]) -> str:
    """Render units ready for /etc/systemd/system; folders that don't exist yet must be made."""
    folders = dict.fromkeys(str(find_existing(Path(path))) for path in writable)
    program = Path(sys.argv[0]).absolute()
    command = (
        shlex.quote(str(program))
        if program.name.startswith("adjudicator")
        else f"{shlex.quote(sys.executable)} -m adjudicator"
    )
    facts = {
        "command": command,
        "config": shlex.quote(str(config)),
        "user": getpass.getuser(),
        "writable": " ".join(shlex.quote(path) for path in folders),
        "home": shlex.quote(home),
        "existing": shlex.quote(str(find_existing(Path(home)))),
        "backups": _BACKUPS,
    }
    templates = (UNIT_TEMPLATE, BACKUP_TEMPLATE, TIMER_TEMPLATE)
    return "\n".join(one.format(**facts) for one in templates)


def find_existing(path: Path) -> Path:
    """Find the folder, or the nearest existing one above it: systemd refuses others."""
    while not path.exists():
        path = path.parent
    return path


class Notifier:
    """Sends nothing where nobody listens."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        is_for_us = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.watchdog = int(environment.get("WATCHDOG_USEC", "0")) / 1e6 if is_for_us else 0.0
        """Seconds within which we must say that we live; 0: nobody waits for it."""

    def say(self, *words: str) -> None:
        """Send READY=1 or the like; a manager that doesn't listen is ignored."""
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
        """Announce a reload with the time, as `Type=notify-reload` requires."""
        self.say("RELOADING=1", f"MONOTONIC_USEC={time.monotonic_ns() // 1000}")
