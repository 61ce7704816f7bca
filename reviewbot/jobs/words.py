"""Chinese words of the jobs."""

from __future__ import annotations

GIVEN_UP = "任务多次使进程中断，已放弃；可用 /upstream-review again 重来"
