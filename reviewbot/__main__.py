"""``python -m reviewbot``: the same as the ``reviewbot`` command."""

from __future__ import annotations

from reviewbot.cli.app import main

if __name__ == "__main__":
    main()
