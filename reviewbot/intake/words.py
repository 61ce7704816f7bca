"""Chinese words of the intake: why a delivery asked for nothing."""

from __future__ import annotations

NO_COMMAND = "不是命令"
NO_TRACKING = "没有为这个上游分支配置跟踪议题"
