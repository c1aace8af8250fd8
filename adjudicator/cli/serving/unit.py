"""The unit with which systemd runs the daemon."""

import getpass
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path

UNIT = """\
# /etc/systemd/system/adjudicator.service
#   systemctl daemon-reload && systemctl enable --now adjudicator
#   journalctl -u adjudicator -f          the log
#   systemctl reload adjudicator          reads the settings again
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
# 2: the settings are wrong, 3: another daemon serves this home; a restart mends neither
RestartPreventExitStatus=2 3
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


def unit(config: Path, writable: Iterable[str]) -> str:
    """Ready to be put into /etc/systemd/system; what is not there yet must be made where it is."""
    folders = dict.fromkeys(str(_existing(Path(path))) for path in writable)
    program = Path(sys.argv[0]).absolute()
    command = (
        shlex.quote(str(program))
        if program.name.startswith("adjudicator")
        else f"{shlex.quote(sys.executable)} -m adjudicator"
    )
    return UNIT.format(
        command=command,
        config=shlex.quote(str(config)),
        user=getpass.getuser(),
        writable=" ".join(shlex.quote(path) for path in folders),
    )


def _existing(path: Path) -> Path:
    """The folder, or the nearest one above it that is there: systemd refuses others."""
    while not path.exists():
        path = path.parent
    return path
