"""An archive that cannot be read, with the file that is to blame."""

from adjudicator.desk.errors import Refused


class ArchiveTrouble(Refused):
    """The file cannot be what it should be; the message says why."""

    def __init__(self, file: str, message: str) -> None:
        super().__init__(f"{file}: {message}")
        self.file = file
        self.message = message
