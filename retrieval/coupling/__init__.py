"""The coupling index: one module per evidence kind, one registry that lists them.

Each kind reads facts from one downstream file (`extract`, cached by blob) and turns facts into couplings for one
change (`couple`). `registry.KINDS` is the only list of them; see CONTRIBUTING.md for how to add one.
"""
