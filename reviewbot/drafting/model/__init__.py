"""The writer that asks a model: a dossier becomes messages, an answer becomes a draft; code proves it afterwards.

| module | what it holds |
|---|---|
| `outside`, `digest`, `change_text`, `hunks`, `ledger_text`, `past_text`, `prompt`, `tokens` | messages, pure |
| `answer`, `capabilities`, `faults`, `guards`, `suspicion`, `money` | what comes back, pure |
| `endpoint`, `memory` | one call over HTTP; what is kept between runs |
| `asking`, `writer`, `sparing`, `batch`, `opening` | a model, all models, plain cases left out, files, from settings |

Nothing here is imported by the command line before a model is asked for; LangChain, openai and tiktoken are imported
where they are used.
"""
