"""How the nets of the expert player were trained: a simulator in C, labels by rollouts, the fit and the judgement.

Nothing here is needed to play. It needs gcc and numpy; `python -m training` tells the commands.
"""
