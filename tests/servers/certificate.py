"""A certificate for this machine that is its own authority."""

import subprocess
from pathlib import Path


def make_certificate(folder: Path, name: str = "localhost") -> Path:
    """Writes key.pem and cert.pem; the latter is also the authority to name."""
    names = f"subjectAltName=DNS:{name}" + (",IP:127.0.0.1" if name == "localhost" else "")
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-nodes", "-days", "2"),
            *("-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", f"/CN={name}"),
            *("-addext", names, "-keyout", folder / "key.pem", "-out", folder / "cert.pem"),
        ],
        check=True,
        capture_output=True,
    )
    return folder / "cert.pem"
