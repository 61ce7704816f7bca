"""``python -m evals.local_model.serving WEIGHTS CONTEXT``: serves the model until standard input ends.

Prints one line, the address, once the model is ready; llama.cpp writes its log to standard error. Run as a process of
its own by `server`: a crash of native code ends nobody else, and a parent that dies takes its server along.
"""

from __future__ import annotations

import os
import sys

import xllamacpp

#: With more threads than idle cores llama.cpp waits for itself: 18 tokens a second where one thread reads 125.
_THREADS = max(1, (os.cpu_count() or 1) // 2)
#: Small models run in circles until the length limit; this gets most of their answers to an end.
_REPETITION = 1.3
_WARNINGS = 2


def main(weights: str, context_tokens: int) -> None:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = weights
    parameters.n_ctx = context_tokens
    parameters.n_parallel = 1  # slots share the context
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = _THREADS
    parameters.sampling.penalty_repeat = _REPETITION
    parameters.verbosity = _WARNINGS
    parameters.ui = False
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
