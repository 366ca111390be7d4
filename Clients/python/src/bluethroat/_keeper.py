"""Runs a command for as long as whoever started this lives: `python _keeper.py COMMAND...`

Standard input is a pipe of the one who started it. When that ends, also because its process was killed, the command is
asked to end, and killed after ten seconds. So no test run leaves a process behind.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

PATIENCE = 10.0


def main() -> int:
    # A Ctrl-C at the terminal is for the tests; they close the pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    process = subprocess.Popen(
        sys.argv[1:], stdin=subprocess.DEVNULL, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
    )

    def end() -> None:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()

    def watch() -> None:
        while os.read(0, 4096):
            pass
        end()

    threading.Thread(target=watch, daemon=True).start()
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=end).start())
    return process.wait()


if __name__ == "__main__":
    code = main()
    # As a shell does it for a program that a signal has ended.
    os._exit(code if code >= 0 else 128 - code)
