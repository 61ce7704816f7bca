"""``reviewbot records``: the commands about the team's table, and their words."""
