"""A model grades the paragraphs of a run by a fixed form; its grades are shown only beside its agreement with people.

| module | what it holds |
|---|---|
| `models` | the form's criteria, judgements, calibration, summary |
| `form`, `grades` | the sheet that people fill in: written, read back |
| `cases`, `prompt`, `answer` | what a judge reads and what it answers, pure |
| `independence` | no model judges its own paragraphs by accident |
| `asking`, `storage`, `sitting`, `driving` | requests, ``judgements.jsonl``, many requests, the whole command |
| `calibration`, `summary`, `view` | agreement with people, what may be shown, how a terminal shows it |
"""
