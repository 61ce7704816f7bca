"""What ``reviewbot doctor`` says of the model: whether it can be opened as it is set and, if asked to, reached.

A key is never shown, only whether there is one. Nothing is sent but a request for the list of models, and only online.
"""

from __future__ import annotations

from reviewbot import words
from reviewbot.doctor import Check, CheckState
from reviewbot.errors import SettingsError
from reviewbot.settings import ModelSettings, Settings, mask_password

NAME = "model"
_SECONDS = 15.0
#: Endpoints that cannot list their models say so in one of these ways; that they say it shows that they are there.
_NO_LIST = frozenset({400, 404, 405, 501})


def check_model(settings: Settings, *, online: bool) -> Check:
    from reviewbot.drafting.model import opening

    model = settings.model
    if model.name is None:
        return Check(NAME, CheckState.OK, words.DOCTOR_NO_MODEL)
    try:
        with opening.open_writer(settings):
            key = opening.key_of(model)
    except SettingsError as error:
        return Check(NAME, CheckState.FAILED, str(error), words.DOCTOR_FIX_MODEL)
    found = words.doctor_model(
        model.name,
        mask_password(model.base_url),
        key=bool(key),
        priced=model.price_in is not None and model.price_out is not None,
        fallbacks=model.fallbacks,
    )
    return _reached(model, model.name, key, found) if online else Check(NAME, CheckState.OK, found)


def _reached(model: ModelSettings, name: str, key: str, found: str) -> Check:
    import openai

    from reviewbot.drafting.model.endpoint import NO_KEY

    with openai.OpenAI(base_url=model.base_url, api_key=key or NO_KEY, timeout=_SECONDS, max_retries=0) as client:
        try:
            names = [one.id for one in client.models.list().data or ()]
        except openai.APIStatusError as error:
            return _refused(error.status_code, found)
        except openai.APIError as error:
            problem = f"{found}{words.doctor_unreachable(type(error).__name__)}"
            return Check(NAME, CheckState.FAILED, problem, words.DOCTOR_FIX_MODEL)
    if names and name not in names:
        return Check(NAME, CheckState.NOTICE, found + words.DOCTOR_REACHED, words.doctor_other_models(name, names))
    return Check(NAME, CheckState.OK, found + words.DOCTOR_REACHED)


def _refused(status: int, found: str) -> Check:
    if status in _NO_LIST:
        return Check(NAME, CheckState.OK, found + words.DOCTOR_REACHED)
    return Check(NAME, CheckState.FAILED, f"{found}{words.doctor_refused(status)}", words.DOCTOR_FIX_MODEL)
