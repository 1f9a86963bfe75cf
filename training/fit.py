"""The fit of the nets to labels: ridge regression for the linear part, then Adam on the squared error."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from training.simulator import Doubles, Floats, Labels, SimulatedNet

_RIDGE: Final = 50.0
_NEAR: Final = 1000.0
"""How near the linear part stays to that of the nets of another preset."""
_DECAY: Final = (0.9, 0.999)
_TINY: Final = 1e-8

Rows = npt.NDArray[Any]
"""Row or decision numbers."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """The settings for fitting a net."""

    hidden: int
    within: bool
    """Whether only the differences within a decision count.

    This is so for discards, whose options have no common zero.
    """
    epochs: int = 14
    rate: float = 1e-3
    """The initial step size of Adam. It decays to zero along a cosine."""
    l2: float = 1e-3
    batch: int = 128
    """Decisions per batch."""
    seed: int = 0


DISCARDS: Final = Recipe(hidden=64, within=True)
CAUTION: Final = 0.2
"""The points by which a discard must be better than that of greedy+outs.

With few rollouts, labels overestimate the best of many options.
"""
TAKES: Final = Recipe(hidden=32, within=False, epochs=10)


class _Scaled(NamedTuple):
    """Features and values with mean 0 and standard deviation 1."""

    features: Floats
    values: Floats
    mean: Floats
    deviation: Floats
    worth: float
    """The standard deviation of the values in points."""


class _Batch(NamedTuple):
    rows: Rows
    groups: Rows
    """The number of each row's decision within the batch."""


def fit(labels: Labels, recipe: Recipe) -> SimulatedNet:
    """Return the net that fits these labels."""
    scaled = _scaled(labels, keep_mean=not recipe.within)
    starts, sizes, every = _decisions(labels)
    chance = np.random.default_rng(recipe.seed)
    count = scaled.features.shape[1]
    weights: list[Doubles] = [
        chance.normal(0, count**-0.5, (count, recipe.hidden)),
        np.zeros(recipe.hidden),
        chance.normal(0, 0.3 * recipe.hidden**-0.5, recipe.hidden),
        _ridge(scaled, every, within=recipe.within, ridge=_RIDGE),
    ]
    moments = [np.zeros_like(part) for part in weights], [np.zeros_like(part) for part in weights]
    steps = recipe.epochs * (len(starts) // recipe.batch)
    for step, batch in enumerate(_batches(starts, sizes, recipe, chance), 1):
        rate = recipe.rate * (1 + np.cos(np.pi * step / max(steps, 1))) / 2
        for place, slope in enumerate(_slopes(weights, scaled, batch, recipe)):
            first, second = moments[0][place], moments[1][place]
            first += (1 - _DECAY[0]) * (slope - first)
            second += (1 - _DECAY[1]) * (slope**2 - second)
            size = np.sqrt(second / (1 - _DECAY[1] ** step)) + _TINY
            weights[place] -= rate * first / (1 - _DECAY[0] ** step) / size
    return _unscaled(weights, scaled)


def adapted(net: SimulatedNet, labels: Labels, recipe: Recipe) -> SimulatedNet:
    """A net that was fitted under other rules, with a linear part that makes up for the difference in these labels.

    That needs far fewer labels than a net of its own.
    """
    scaled = _scaled(
        labels._replace(values=labels.values - net.values(labels.features)), keep_mean=not recipe.within
    )
    _, _, every = _decisions(labels)
    more = _ridge(scaled, every, within=recipe.within, ridge=_NEAR) / scaled.deviation * scaled.worth
    return replace(net, skip=(net.skip + more).astype(np.float32))


def cautious(net: SimulatedNet, feature: int, points: float) -> SimulatedNet:
    """Return the same net with this many points added for options that have this feature."""
    skip = net.skip.copy()
    skip[feature] += points
    return replace(net, skip=skip)


def gain(net: SimulatedNet, labels: Labels) -> tuple[float, float]:
    """Return the lead of the net's choices over the first option in these labels, and its standard error."""
    values = net.values(labels.features)
    starts = np.flatnonzero(np.diff(labels.decisions, prepend=-1))
    ends = np.append(starts[1:], len(values))
    chosen = [start + int(values[start:end].argmax()) for start, end in zip(starts, ends, strict=True)]
    leads = labels.values[chosen]
    return float(leads.mean()), float(leads.std() / np.sqrt(len(leads)))


def _decisions(labels: Labels) -> tuple[Rows, Rows, _Batch]:
    """Where each decision starts, how many options it has, and all of them as one batch."""
    starts = np.flatnonzero(np.diff(labels.decisions, prepend=-1))
    sizes = np.diff(starts, append=len(labels.values))
    return (
        starts,
        sizes,
        _Batch(np.arange(len(labels.values)), np.repeat(np.arange(len(starts)), sizes)),
    )


def _scaled(labels: Labels, *, keep_mean: bool) -> _Scaled:
    mean, deviation = labels.features.mean(0), labels.features.std(0)
    constant = deviation < 1e-6
    mean[constant], deviation[constant] = 0, 1
    worth = float(labels.values.std())
    if keep_mean:  # the constant feature absorbs it
        mean[:] = 0
    features = ((labels.features - mean) / deviation).astype(np.float32)
    return _Scaled(features, (labels.values / worth).astype(np.float32), mean, deviation, worth)


def _centred(values: Doubles, groups: Rows) -> Doubles:
    """Return the values less the mean of their decision."""
    counts = np.bincount(groups)
    return values - (np.bincount(groups, values) / counts)[groups]


def _ridge(scaled: _Scaled, every: _Batch, *, within: bool, ridge: float) -> Doubles:
    features, values = scaled.features.astype(np.float64), scaled.values.astype(np.float64)
    if within:
        columns = [_centred(features[:, place], every.groups) for place in range(features.shape[1])]
        features, values = np.stack(columns, 1), _centred(values, every.groups)
    products = features.T @ features + ridge * np.eye(features.shape[1])
    return np.linalg.solve(products, features.T @ values).astype(np.float64)


def _batches(starts: Rows, sizes: Rows, recipe: Recipe, chance: np.random.Generator) -> Iterator[_Batch]:
    for _ in range(recipe.epochs):
        order = chance.permutation(len(starts))
        for begin in range(0, len(order) - recipe.batch + 1, recipe.batch):
            chosen = order[begin : begin + recipe.batch]
            groups = np.repeat(np.arange(recipe.batch), sizes[chosen])
            before = np.cumsum(sizes[chosen]) - sizes[chosen]
            yield _Batch((starts[chosen] - before)[groups] + np.arange(len(groups)), groups)


def _slopes(weights: list[Doubles], scaled: _Scaled, batch: _Batch, recipe: Recipe) -> list[Doubles]:
    """Return the gradient of the squared error with respect to each part of the weights."""
    first, bias, second, skip = weights
    features = scaled.features[batch.rows].astype(np.float64)
    units = np.maximum(0, features @ first + bias)
    missed = units @ second + features @ skip - scaled.values[batch.rows]
    if recipe.within:
        missed = _centred(missed, batch.groups)
    missed /= len(missed)
    back = np.outer(missed, second) * (units > 0)
    return [
        features.T @ back + recipe.l2 * first,
        back.sum(0),
        units.T @ missed,
        features.T @ missed + recipe.l2 / 10 * skip,
    ]


def _unscaled(weights: list[Doubles], scaled: _Scaled) -> SimulatedNet:
    """Return the same net for unscaled features and values; a common offset of all options is left out."""
    first, bias, second, skip = weights
    first = first / scaled.deviation[:, None]
    parts = (first, bias - scaled.mean @ first, second * scaled.worth, skip / scaled.deviation * scaled.worth)
    return SimulatedNet(*(part.astype(np.float32) for part in parts))
