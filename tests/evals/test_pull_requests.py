"""Fetching true diffs: a real HTTP server speaks GitHub's shapes, the library and the command are the real ones."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from evals.errors import FetchError, RealDataError
from evals.pull_requests import command
from evals.pull_requests.folder import PullRequestFolder
from evals.pull_requests.github import DIFF, HopelessError, PullRequests
from evals.pull_requests.models import DiffOrigin
from retrieval.models import FileStatus

TOKEN = "ghs_0123456789_token_of_any_length"
WHOLE = (
    "diff --git a/mill/gear.py b/mill/gear.py\n--- a/mill/gear.py\n+++ b/mill/gear.py\n"
    "@@ -1 +1 @@\n-turn = 1\n+turn = 2\n"
)
FILES: list[dict[str, Any]] = [
    {"filename": "mill/gear.py", "status": "modified", "changes": 2, "patch": "@@ -1 +1 @@\n-turn = 1\n+turn = 2"},
    {"filename": "mill/new.py", "status": "added", "changes": 1, "patch": "@@ -0,0 +1 @@\n+fresh = 1"},
    {"filename": "mill/b.py", "previous_filename": "mill/a.py", "status": "renamed", "changes": 0},
    {"filename": "mill/huge.json", "status": "modified", "changes": 90000},
]


class GitHub(BaseHTTPRequestHandler):
    """#7 is small, #8 too large for one diff, #9 does not exist, #10 is forbidden; any token but TOKEN is refused."""

    asked: list[str]

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        type(self).asked.append(path)
        if self.headers["Authorization"] != f"token {TOKEN}":
            return self.answer(401, {"message": "Bad credentials"})
        if path == "/rate_limit":
            limit = {"limit": 5000, "remaining": 4990, "reset": 1_800_000_000, "used": 10}
            return self.answer(200, {"resources": {"core": limit, "search": limit}, "rate": limit})
        if path.endswith("/pulls/10"):
            return self.answer(403, {"message": "Resource not accessible"})
        number = int(path.split("/pulls/")[1].split("/")[0]) if "/pulls/" in path else 0
        if number not in {7, 8}:
            return self.answer(404, {"message": "Not Found"})
        if path.endswith("/files"):
            return self.answer(200, FILES)
        if self.headers["Accept"] == DIFF:
            return self.answer(200, WHOLE) if number == 7 else self.answer(406, {"message": "too_large"})
        return self.answer(200, self.pull(number))

    def pull(self, number: int) -> dict[str, Any]:
        address = f"http://{self.headers['Host']}/repos/mill/mill/pulls/{number}"
        return {
            "url": address,
            "number": number,
            "title": "Turn the gear twice",
            "body": None,
            "labels": [{"name": "Merged"}],
            "created_at": "2026-03-04T05:06:07Z",
            "base": {"sha": "b" * 40},
            "head": {"sha": "a" * 40},
            "changed_files": 1,
            "additions": 1,
            "deletions": 1,
        }

    def answer(self, status: int, content: object) -> None:
        body = content.encode() if isinstance(content, str) else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain" if isinstance(content, str) else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Nothing on the test's standard error."""


@pytest.fixture
def address() -> Iterator[str]:
    GitHub.asked = []
    with ThreadingHTTPServer(("127.0.0.1", 0), GitHub) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_a_pull_request_is_kept_and_read_as_a_change(address: str, tmp_path: Path) -> None:
    folder = PullRequestFolder(tmp_path / "pulls")
    with PullRequests("mill/mill", TOKEN, address) as pulls:
        assert pulls.allowance() == 4990
        folder.keep(*pulls.get(7))
    kept = folder.get(7)
    assert kept is not None
    assert (kept.title, kept.body, kept.created, kept.origin) == (
        "Turn the gear twice",
        "",
        date(2026, 3, 4),
        DiffOrigin.WHOLE,
    )
    change = folder.change(7)
    assert change is not None
    assert (change.number, change.head_sha, change.merged, change.diff_complete) == (7, "a" * 40, True, True)
    assert [file.path for file in change.files] == ["mill/gear.py"]


def test_a_diff_that_is_refused_is_put_together_from_the_files(address: str, tmp_path: Path) -> None:
    folder = PullRequestFolder(tmp_path)
    with PullRequests("mill/mill", TOKEN, address) as pulls:
        facts, diff = pulls.get(8)
    folder.keep(facts, diff)
    change = folder.change(8)
    assert change is not None
    assert facts.origin is DiffOrigin.FILES
    assert {file.path: file.status for file in change.files if file.path != "mill/huge.json"} == {
        "mill/gear.py": FileStatus.MODIFIED,
        "mill/new.py": FileStatus.ADDED,
        "mill/b.py": FileStatus.RENAMED,
    }
    assert facts.missing == ("mill/huge.json",), "a pure rename misses nothing"
    assert not change.diff_complete


def test_failures_name_the_pull_request_and_never_the_token(address: str) -> None:
    with (
        PullRequests("mill/mill", TOKEN, address) as pulls,
        pytest.raises(FetchError, match=r"mill/mill#9.*404") as caught,
    ):
        pulls.get(9)
    assert not isinstance(caught.value, HopelessError)
    with (
        PullRequests("mill/mill", "ghs_wrong", address) as pulls,
        pytest.raises(HopelessError, match="令牌无效") as wrong,
    ):
        pulls.get(7)
    assert "ghs_wrong" not in str(wrong.value)
    with PullRequests("mill/mill", TOKEN, "http://127.0.0.1:9", retries=0) as pulls, pytest.raises(HopelessError):
        pulls.get(7)


def test_a_token_goes_to_https_alone() -> None:
    with pytest.raises(FetchError, match="https"):
        PullRequests("mill/mill", TOKEN, "http://api.example.org")


def test_damage_is_told_and_a_cut_fetch_counts_as_none(address: str, tmp_path: Path) -> None:
    folder = PullRequestFolder(tmp_path)
    with PullRequests("mill/mill", TOKEN, address) as pulls:
        folder.keep(*pulls.get(7))
    folder.diff(7).write_bytes(b"something else")
    with pytest.raises(RealDataError, match="已损坏"):
        folder.get(7)
    folder.facts(7).write_text("{}")
    with pytest.raises(RealDataError, match=r"7\.json"):
        folder.get(7)
    folder.facts(7).unlink()
    assert folder.get(7) is None


def records_file(folder: Path, *numbers: int) -> Path:
    lines = []
    for at, number in enumerate(numbers):
        labels = {"verdict": "Check", "risk": "low", "needs_adaptation": "否", "needs_cann": None, "npu_affected": "否"}
        lines.append(
            {
                "id": f"r{at:03}",
                "upstream_pr": number,
                "pr_confidence": "high",
                "upstream_date": "2026-03-04",
                "batch": "b00",
                "title": "Turn the gear",
                "reverted": False,
                "labels": {**labels, "compile_stage": None},
                "change": {"quality": "absent", "files": [], "other_paths": []},
                "evidence": {"snapshot": None, "cited": 0, "verified": 0, "items": []},
            }
        )
    path = folder / "records.jsonl"
    path.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines), encoding="utf-8")
    return path


def test_the_command_fetches_what_is_missing_and_says_what_failed(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    records, out = records_file(tmp_path, 7, 9), tmp_path / "out"
    first = command.fetch(records=records, out=out, repository="mill/mill", address=address)
    said = capsys.readouterr()
    assert first == FetchError.exit_code
    assert "#7" in said.out
    assert "mill/mill#9" in said.err
    GitHub.asked.clear()
    assert command.fetch(records=records, out=out, repository="mill/mill", address=address, json=True) == 10
    rows = json.loads(capsys.readouterr().out)
    assert [(row["number"], row["pull"] is not None, row["error"] is not None) for row in rows] == [
        (7, True, False),
        (9, False, True),
    ]
    assert not [path for path in GitHub.asked if "/pulls/7" in path], "what is there is not asked for again"


def test_a_dry_run_needs_neither_token_nor_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_TOKEN", raising=False)
    records = records_file(tmp_path, 7)
    assert command.fetch(records=records, out=tmp_path / "out", dry_run=True) == 0
    assert not (tmp_path / "out").exists()
    with pytest.raises(FetchError, match="GITHUB_TOKEN"):
        command.fetch(records=records, out=tmp_path / "out")


def test_what_no_other_can_escape_ends_the_asking(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    records = records_file(tmp_path, 10, 7)
    code = command.fetch(records=records, out=tmp_path, repository="mill/mill", address=address, json=True)
    assert code == FetchError.exit_code
    errors = {row["number"]: row["error"] for row in json.loads(capsys.readouterr().out)}
    assert "403" in errors[10]
    assert "不再尝试" in errors[7]
    assert not [path for path in GitHub.asked if path.endswith("/pulls/7")]


def test_a_refused_token_ends_the_asking(address: str, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("ghs_expired\n")
    records = records_file(tmp_path, 7, 8)
    with pytest.raises(FetchError, match="令牌无效"):
        command.fetch(records=records, out=tmp_path, repository="mill/mill", address=address, token_file=token)
