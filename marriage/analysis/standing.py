"""What a seat may expect to gain by a deal, in points, from the features of its hand: linear, with weights by stage.

The weights are fitted by ridge regression to the results of deals between computer players (`python -m benchmarks.analysis
fit`), per opponent: a deal moves about as many points as there are opponents. Rules under which the points of players who
have not seen are void or go to the winner have weights of their own, because it costs more there not to see.
"""

from typing import Final

from marriage.analysis.features import Features, Stage
from marriage.view import View

_Weights = dict[Stage, Features]

# fmt: off
_COUNT: Final[_Weights] = {
    Stage.UNSEEN: (
        -1.789, 9.294, -0.952, -4.617, -2.848, 6.337, -0.186, -3.766, -1.085, -1.922, -3.857, -3.297,
        0.0, 0.0, 0.0, 0.0, -0.422, 0.621, 0.686,
    ),
    Stage.CAN_SHOW: (3.691, -1.123, 0.963, -4.346, 0.808),
    Stage.SEEN: (
        1.072, 4.49, 0.891, -7.009, -1.746, 3.936, 0.125, -5.381, -3.457, 2.04, 1.194, -3.56,
        -2.34, -2.34, 3.325, -2.47, 1.098,
    ),
    Stage.DUBLEES: (4.815, 0.606, -1.05, -7.632, 1.208),
    Stage.CAN_FINISH: (6.583, 1.271, -8.155, 1.064),
}
_VOID: Final[_Weights] = {
    Stage.UNSEEN: (
        -3.49, 13.49, -1.518, -6.334, -5.68, 7.32, -2.437, -5.219, -4.615, -1.868, -5.951, -2.655,
        0.0, 0.0, 0.0, 0.0, 0.061, 0.545, 0.919,
    ),
    Stage.CAN_SHOW: (4.361, -0.912, -0.319, -5.114, 0.957),
    Stage.SEEN: (
        2.863, 7.97, -2.422, -7.363, -1.094, 5.841, -2.042, -5.117, -2.864, 3.664, -1.291, -3.706,
        -2.146, -2.146, -1.699, -0.305, 1.1,
    ),
    Stage.DUBLEES: (4.85, 0.163, 1.518, -3.925, 0.615),
    Stage.CAN_FINISH: (11.512, -0.442, -11.428, 1.009),
}
# fmt: on


def expected_points(view: View, stage: Stage, features: Features) -> float:
    """The points that the viewer may expect to gain by the deal."""
    weights = (_COUNT if view.rules.unseen_maal == "count" else _VOID)[stage]
    worth = sum(weight * value for weight, value in zip(weights, features, strict=True))
    return worth * (view.players - 1) * view.factor
