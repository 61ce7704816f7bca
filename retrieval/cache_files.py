"""Where the facts cache lies, and which files of it nobody needs any more.

Each version of the extractor has a file of its own, so that two versions can run side by side. A file that no run has
opened for a month is deleted; what it held can be built again.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from retrieval.extraction import extractor_version

UNUSED_SECONDS = 30 * 24 * 3600


def cache_file(cache_dir: Path) -> Path:
    return cache_dir / f"facts-{extractor_version()}.sqlite3"


def forget_unused(current: Path) -> None:
    """Mark ``current`` as used now and delete files of other versions that were last used a month ago or earlier.

    A folder or file that may not be touched is left as it is: tidying is no reason to fail.
    """
    now = time.time()
    try:
        os.utime(current, (now, now))
        version = current.name.partition(".")[0]
        others = f"{version.partition('-')[0]}-*.sqlite3*"
        for path in current.parent.glob(others):
            if path.name.partition(".")[0] != version and path.stat().st_mtime < now - UNUSED_SECONDS:
                path.unlink(missing_ok=True)
    except OSError:
        return
