"""What answers the records of a run, by the name of its engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from evals.records import LabelledRecord
from evals.run import words
from evals.run.answers_file import Answers, is_openai_batch, parse_answers, read_answers
from evals.run.case import WriterOf
from evals.run.engine import Engine
from evals.run.provenance import digest_of_file
from reviewbot.drafting.model.batch import BatchWriter, read_batch
from reviewbot.drafting.model.money import most_cost
from reviewbot.drafting.model.opening import open_writer
from reviewbot.drafting.template import TEMPLATE_VERSION, TemplateWriter
from reviewbot.drafting.writer import Writer
from reviewbot.settings import ModelSettings, Settings, mask_password


@dataclass(frozen=True, slots=True)
class Answering:
    """``versions`` and ``parameters`` go into the manifest. ``threads``: it waits for others more than it computes.

    ``reads_precedents``: it is shown similar past records. ``guess`` is what one record may cost, 0 when nobody
    set a price, None for an engine that costs nothing; ``currency`` is that of the price settings.
    """

    engine: Engine
    writer_of: WriterOf
    versions: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    threads: bool = False
    reads_precedents: bool = False
    guess: float | None = None
    currency: str = ""


def template_writer(record: LabelledRecord) -> Writer:
    return TemplateWriter()


def rules() -> Answering:
    """The prior alone. The template writes beside it only because the production path has a writer."""
    return Answering(Engine.RULES, template_writer)


def template() -> Answering:
    return Answering(Engine.TEMPLATE, template_writer, {"template": TEMPLATE_VERSION})


def batch(path: Path, settings: ModelSettings, say: Callable[[str], None]) -> Answering:
    """Answers in either form: lines by record (`answers_file`), or those of OpenAI's batch service, whose ids stand for
    whole prompts, so that they fit as long as code, evidence and precedents are those of the export.
    """
    text = read_answers(path)
    digest = {"answers": digest_of_file(path)}
    if not is_openai_batch(text):
        return Answering(Engine.BATCH, Answers(parse_answers(text, str(path)), digest).writer, digest)
    answers = read_batch(text.split("\n"), settings)
    for problem in answers.problems:
        say(words.batch_problem(str(path), problem))
    writer = BatchWriter(answers, settings)
    versions = writer.versions | digest
    return Answering(Engine.BATCH, lambda _: writer, versions, threads=True, reads_precedents=True)


def model(settings: ModelSettings, writer: Writer) -> Answering:
    """``writer`` is shared by all workers. The key is no condition of an answer, nor are prices."""
    names = (
        *("temperature", "capability", "context_tokens", "prompt_tokens", "max_output_tokens"),
        *("spare_plain_cases", "investigate"),
    )
    parameters = {f"model.{name}": str(getattr(settings, name)) for name in names}
    parameters["model.base_url"] = mask_password(settings.base_url)
    parameters["model.fallbacks"] = " ".join(settings.fallbacks)
    return Answering(
        Engine.MODEL,
        lambda _: writer,
        writer.versions,
        parameters,
        threads=True,
        reads_precedents=True,
        guess=most_cost(settings, settings.prompt_tokens) or 0.0,
        currency=settings.currency,
    )


@contextmanager
def open_answering(
    engine: Engine, settings: Settings, answers: Path | None, say: Callable[[str], None]
) -> Iterator[Answering]:
    """``answers`` is the file of a batch run, None where requests are only exported."""
    match engine:
        case Engine.RULES:
            yield rules()
        case Engine.TEMPLATE:
            yield template()
        case Engine.BATCH:
            yield batch(answers, settings.model, say) if answers is not None else template()
        case Engine.MODEL:
            with open_writer(settings) as writer:
                yield model(settings.model, writer)
