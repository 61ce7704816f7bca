"""Facts of C++ files (`extraction.extract_cpp_facts`), and what kinds ask about C++ names (`asking`).

A C++ target is written ``::at.native.add``: the marker keeps C++ apart from Python, whose ``torch.nn.Module`` is
another thing than ``torch::nn::Module``. Namespaces may be missing at its front, where the file did not tell them:
``using namespace`` may stand in a header, and a hunk does not show what is around it. `asking` compares accordingly.

Code under any ``#if``, ``#if 0`` included, counts as code: which branch is built is not known here.
"""
