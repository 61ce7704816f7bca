"""``reviewbot eval cases fetch``. Exit codes: 0 all there · 10 some could not be fetched · 1 damaged, or no space."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evals import words as shared_words
from evals.pull_requests import words
from reviewbot.cli import options
from reviewbot.cli.output import Output

if TYPE_CHECKING:
    from evals.pull_requests.folder import PullRequestFolder
    from evals.pull_requests.github import PullRequests
    from evals.pull_requests.models import FetchedPull

Records = Annotated[Path | None, typer.Option("--records", metavar="FILE", help=shared_words.CASES_RECORDS_HELP)]
Out = Annotated[Path | None, typer.Option("--out", metavar="DIR", help=words.OPTION_OUT)]
Repository = Annotated[str, typer.Option("--repo", metavar="OWNER/NAME", help=words.OPTION_REPOSITORY)]
Address = Annotated[str, typer.Option("--api", metavar="URL", help=words.OPTION_ADDRESS)]
TokenFile = Annotated[Path | None, typer.Option("--token-file", metavar="FILE", help=words.OPTION_TOKEN_FILE)]
Again = Annotated[bool, typer.Option("--again", help=words.OPTION_AGAIN)]
DryRun = Annotated[bool, typer.Option("--dry-run", help=words.OPTION_DRY_RUN)]


def fetch(
    records: Records = None,
    out: Out = None,
    repository: Repository = "pytorch/pytorch",
    address: Address = "https://api.github.com",
    token_file: TokenFile = None,
    again: Again = False,
    dry_run: DryRun = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    from evals.errors import FetchError
    from evals.pull_requests.folder import PullRequestFolder
    from evals.pull_requests.github import PullRequests
    from evals.real_data import default_root
    from evals.records import load_records
    from evals.running import say

    began = time.perf_counter()
    folder = PullRequestFolder(out or default_root() / "pull-requests")
    numbers = list(dict.fromkeys(record.upstream_pr for record in load_records(records)))
    wanted = [number for number in numbers if again or folder.get(number) is None]
    say(words.plan(len(wanted), len(numbers) - len(wanted), folder.root))
    failures: dict[int, str] = {}
    if wanted and not dry_run:
        with PullRequests(repository, _token(token_file), address) as pulls:
            say(words.allowance(pulls.allowance(), 2 * len(wanted)))
            failures = _fetched(pulls, wanted, folder)
    _print(folder, numbers, failures, as_json=json)
    if dry_run:
        return 0
    for sentence in dict.fromkeys(failures.values()):
        say(sentence, style="yellow")
    say(words.done(len(wanted) - len(failures), len(failures), time.perf_counter() - began))
    return FetchError.exit_code if failures else 0


def _fetched(pulls: PullRequests, wanted: Sequence[int], folder: PullRequestFolder) -> dict[int, str]:
    """Keeps what comes; what did not come, with its reason. One that no other can escape ends the asking."""
    from evals.errors import FetchError
    from evals.pull_requests.github import HopelessError
    from reviewbot.cli.progress import progress_bar

    failures: dict[int, str] = {}
    with progress_bar(Output(), words.FETCHING) as report:
        for done, number in enumerate(wanted, start=1):
            try:
                folder.keep(*pulls.get(number))
            except HopelessError as error:
                rest = wanted[done - 1 :]
                return failures | dict.fromkeys(rest, words.STOPPED) | {number: str(error)}
            except FetchError as error:
                failures[number] = str(error)
            report(done, len(wanted))
    return failures


def _token(path: Path | None) -> str:
    """The token of the file, else of the environment. Raises `FetchError` for none."""
    from evals.errors import FetchError

    if path is None:
        token = os.environ.get("GITHUB_TOKEN", "")
    else:
        try:
            token = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise FetchError("GitHub", words.token_file_unreadable(path, error)) from error
    if not token.strip():
        raise FetchError("GitHub", words.NO_TOKEN)
    return token.strip()


def _print(folder: PullRequestFolder, numbers: Sequence[int], failures: dict[int, str], *, as_json: bool) -> None:
    there = {number: pull for number in numbers if (pull := folder.get(number)) is not None}
    if as_json:
        Output().json([_row(number, there.get(number), failures.get(number)) for number in numbers])
    elif there:
        Output().table(
            words.COLUMNS,
            [
                (
                    f"#{pull.number}",
                    str(pull.changed_files),
                    f"+{pull.additions} −{pull.deletions}",
                    words.ORIGINS[pull.origin],
                    str(len(pull.missing) or ""),
                )
                for pull in there.values()
            ],
        )


def _row(number: int, pull: FetchedPull | None, failure: str | None) -> dict[str, Any]:
    return {
        "number": number,
        "pull": pull.model_dump(mode="json", exclude={"body"}) if pull else None,
        "error": failure,
    }
