"""Opens what the settings name: the downstream index and the upstream trees of both sides.

Which upstream trees: folders or revisions of the clone, whichever comes from the stronger source (a flag beats the
environment, that beats the file); with neither, the commits that the change itself names, as far as the clone has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from retrieval.git_repository import GitRepository
from retrieval.index import Index, Progress, open_index
from retrieval.models import UpstreamChange
from retrieval.source_tree import SourceTree, open_tree
from retrieval.upstream_index import open_upstream_index
from reviewbot import words
from reviewbot.errors import OptionsError, ReviewbotError, SettingProblem, SettingsError
from reviewbot.settings import Settings, UpstreamSettings
from reviewbot.settings_sources import LoadedSettings, OriginKind

_REVISIONS = ("upstream.base", "upstream.head")
_FOLDERS = ("upstream.base_dir", "upstream.head_dir")
_STRENGTH = list(OriginKind)


def upstream_in_force(loaded: LoadedSettings) -> UpstreamSettings:
    """The upstream settings with either revisions or folders, never both.

    Raises ``OptionsError`` or ``SettingsError`` when one source gives both, or revisions without a clone.
    """
    upstream = loaded.settings.upstream
    revisions, folders = _strongest(loaded, _REVISIONS), _strongest(loaded, _FOLDERS)
    if revisions is not None and folders is not None:
        if _strength(loaded, revisions) == _strength(loaded, folders):
            names = _name(loaded, revisions), _name(loaded, folders)
            raise _error(loaded, revisions, words.options_conflict(*names, words.ONE_KIND_OF_UPSTREAM))
        weaker = _REVISIONS if _strength(loaded, revisions) < _strength(loaded, folders) else _FOLDERS
        upstream = upstream.model_copy(update={key.partition(".")[2]: None for key in weaker})
    if upstream.clone is None and revisions is not None and (upstream.base or upstream.head):
        hint = words.option_requires(_name(loaded, revisions), "--upstream", words.BASE_AND_HEAD_NEED_A_CLONE)
        raise _error(loaded, revisions, hint)
    return upstream


@contextmanager
def open_downstream(settings: Settings, progress: Progress | None = None) -> Iterator[Index]:
    """The coupling index of the configured downstream tree, built as far as needed. Raises ``OptionsError`` unset."""
    downstream = settings.downstream
    if downstream.path is None:
        raise OptionsError(words.DOWNSTREAM_MISSING, ("--downstream",))
    with open_tree(downstream.path, downstream.revision) as tree:
        index = open_index(tree, settings.cache.dir, jobs=settings.index.jobs or None, progress=progress)
        try:
            yield index
        finally:
            index.close()


@contextmanager
def open_upstream_code(
    settings: Settings, base: SourceTree | None, progress: Progress | None = None
) -> Iterator[Index | None]:
    """The index of the upstream code before the change, None without a base or where the settings do without it."""
    if base is None or not settings.index.upstream:
        yield None
        return
    jobs = settings.index.jobs or None
    with closing(open_upstream_index(base, settings.cache.dir, jobs=jobs, progress=progress)) as index:
        yield index


@contextmanager
def open_upstream(
    upstream: UpstreamSettings, change: UpstreamChange
) -> Iterator[tuple[SourceTree | None, SourceTree | None]]:
    """The trees before and after the change, None for a side that is not at hand."""
    with ExitStack() as stack:
        if upstream.base_dir or upstream.head_dir:
            found = _opened(upstream.base_dir, None), _opened(upstream.head_dir, None)
        elif upstream.base or upstream.head:
            found = _at(upstream.clone, upstream.base), _at(upstream.clone, upstream.head)
        else:
            found = _known(upstream.clone, change.base_sha), _known(upstream.clone, change.head_sha)
        base, head = (tree and stack.enter_context(tree) for tree in found)
        yield base, head


def _opened(path: Path | None, revision: str | None) -> SourceTree | None:
    return None if path is None else open_tree(path, revision)


def _at(clone: Path | None, revision: str | None) -> SourceTree | None:
    return None if revision is None else _opened(clone, revision)


def _known(clone: Path | None, commit: str | None) -> SourceTree | None:
    """A commit that the change names need not be in the clone: a patch can come from anywhere."""
    if clone is None or commit is None or not GitRepository(clone).knows(commit):
        return None
    return open_tree(clone, commit)


def _strongest(loaded: LoadedSettings, keys: tuple[str, ...]) -> str | None:
    """The key that is set and comes from the strongest source."""
    given = [key for key in keys if loaded.origins[key].kind is not OriginKind.DEFAULT]
    return max(given, key=lambda key: _strength(loaded, key), default=None)


def _strength(loaded: LoadedSettings, key: str) -> int:
    return _STRENGTH.index(loaded.origins[key].kind)


def _name(loaded: LoadedSettings, key: str) -> str:
    """The option as typed, the variable, or the key of the file."""
    origin = loaded.origins[key]
    return key if origin.kind is OriginKind.FILE else origin.name


def _error(loaded: LoadedSettings, key: str, sentence: str) -> ReviewbotError:
    origin = loaded.origins[key]
    if origin.kind is OriginKind.FLAG:
        return OptionsError(sentence, (origin.name,))
    return SettingsError((SettingProblem(key, origin.name, sentence),))
