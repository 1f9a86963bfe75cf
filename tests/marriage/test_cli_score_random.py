"""`python -m marriage score`: random requests are scored or refused with a sentence."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from marriage.cards import CARDS, format_cards
from marriage.rules import PRESETS
from tests.marriage.cli_calls import ask_lines

json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
hands = st.lists(st.sampled_from(CARDS[:54]), max_size=21).map(format_cards)
counted = st.one_of(
    st.fixed_dictionaries({"hand": hands}, optional={"laid_marriages": st.just(0)}),
    st.fixed_dictionaries({"points": st.integers(0, 40)}),
)
players = st.one_of(
    st.builds(
        dict.__or__,
        counted,
        st.fixed_dictionaries({"status": st.just("seen")}, optional={"dublees": st.booleans()}),
    ),
    st.builds(
        dict.__or__, counted, st.fixed_dictionaries({"status": st.sampled_from(["unseen", "foul", "seen"])})
    ),
    st.just({"status": "pause"}),
)
requests = st.fixed_dictionaries(
    {
        "players": st.lists(players, min_size=2, max_size=5),
        "preset": st.sampled_from(sorted(PRESETS)),
        "winner": st.integers(0, 1),
        "tiplu": st.sampled_from(CARDS[:52]).map(str),
    },
    optional={
        "options": st.fixed_dictionaries(
            {"man_cards": st.just(3)},
            optional={
                "unseen_maal": st.sampled_from(
                    ["count", "void", "murder", "murder_payback", "kidnap_points", "kidnap_cards"]
                ),
                "foul": st.just("next"),
                "master_card": st.just("always"),
            },
        ),
        "finish": st.sampled_from(["sets", "dublees"]),
        "better": st.booleans(),
    },
)


@settings(deadline=None)
@given(st.lists(requests, min_size=5, max_size=5))
def test_every_deal_is_refused_or_sums_to_zero(asked: list[dict[str, Any]]) -> None:
    for request, answer in zip(asked, ask_lines("score", asked), strict=True):
        if "error" in answer:
            assert list(answer) == ["error"]
            continue
        assert sum(player["net"] for player in answer["players"]) == 0
        assert answer["total"] == sum(player["points"] for player in answer["players"])
        assert len(answer["players"]) == len(request["players"])


@settings(deadline=None)
@given(requests, st.lists(st.tuples(st.integers(0, 30), json_values), min_size=1, max_size=3))
def test_anything_in_any_place(request: dict[str, Any], faults: list[tuple[int, Any]]) -> None:
    for number, value in faults:
        place = request
        keys = sorted(place)
        if number % 2 and isinstance(place.get("players"), list) and place["players"]:
            place = place["players"][number % len(place["players"])]
            keys = sorted(place) if isinstance(place, dict) else []
        if keys:
            place[keys[number % len(keys)]] = value
    [answer] = ask_lines("score", [request])
    assert list(answer) in (["error"], ["players", "total", "factor", "winner", "dismissed"])
    if "error" in answer:
        assert 0 < len(answer["error"]) <= 401
        assert answer["error"].isprintable()
