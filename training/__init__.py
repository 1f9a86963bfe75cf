"""The training of the expert player's nets: a simulator in C, labels by rollouts, the fit and the judgement.

Nothing here is needed to play. It needs gcc and numpy; `python -m training` prints the commands.
"""
