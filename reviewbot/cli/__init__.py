"""The ``reviewbot`` command. Heavy imports live inside the commands, so that ``reviewbot --help`` answers at once."""
