# SPDX-License-Identifier: GPL-2.0
"""Progress and messages for people.

Everything here goes to stderr: stdout is for the table (or the JSON) only.
"""

import sys
import time


def say(message: str) -> None:
    """Print one line of progress."""
    print(f"gfp: {message}", file=sys.stderr, flush=True)


class Progress:
    """Progress of one long step.

    On a terminal it is one line that is updated; elsewhere (a CI log) it is a
    line every @interval seconds, so that a step of a second prints nothing.
    """

    _width = 0  # of the line on the terminal, which steps side by side share

    def __init__(self, what: str, interval: float = 10.0) -> None:
        self.what = what
        self.started = time.monotonic()
        self.interval = interval if not sys.stderr.isatty() else 0.5
        self._due = self.started + min(self.interval, 5.0)

    @property
    def seconds(self) -> float:
        """Seconds since the step began."""
        return time.monotonic() - self.started

    @property
    def due(self) -> bool:
        """Whether update() would print now."""
        return time.monotonic() >= self._due

    def update(self, detail: str) -> None:
        """Say how far the step is, if it is time to."""
        if not self.due:
            return
        self._due = time.monotonic() + self.interval
        line = f"{self.what}: {detail}, {self.seconds:.0f} s"
        if sys.stderr.isatty():
            print(f"\rgfp: {line.ljust(Progress._width)}", end="", file=sys.stderr, flush=True)
            Progress._width = len(line)
        else:
            say(line)

    def done(self, detail: str = "done") -> None:
        """Say that the step ended and how long it took."""
        self.clear()
        say(f"{self.what}: {detail}, {self.seconds:.0f} s")

    def clear(self) -> None:
        """Wipe the updating line from a terminal."""
        if Progress._width:
            print(f"\r{' ' * (Progress._width + 5)}\r", end="", file=sys.stderr, flush=True)
            Progress._width = 0
