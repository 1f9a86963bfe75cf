"""`python -m marriage score`: every vector, and requests that contradict themselves."""

import json
from pathlib import Path
from typing import Any

import pytest

from marriage.cli.command import parse
from marriage.rules import PRESETS
from tests.marriage.cli_calls import ask, ask_lines, refusal, run

NAMES = ", ".join(PRESETS)
VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))["vectors"]


def rules_keys(vector: dict[str, Any]) -> dict[str, Any]:
    options = vector.get("options", {})
    if "preset" not in vector:
        options = {"foul": "next", **options}
    return {"preset": vector.get("preset", "pagat"), "options": options}


def score_request(vector: dict[str, Any]) -> dict[str, Any]:
    """Return a request for the one hand, next to a winner who has nothing."""
    owner = {
        "status": "seen" if vector.get("seen", True) else "unseen",
        "hand": " ".join(vector["hand"]),
        "exposed": vector.get("exposed", []),
        "laid_marriages": vector.get("laid", 0),
    }
    return {
        **rules_keys(vector),
        "tiplu": vector["tiplu"],
        "winner": 0,
        "finish": "sets",
        "players": [{"status": "seen", "points": 0}, owner],
    }


FULL = "AS 3S 5S 7S 9S JS KS AH 3H 5H 7H 9H JH KH AD 3D 5D 7D"
"""What makes three cards a full hand, without a four."""


def deal_request(vector: dict[str, Any]) -> dict[str, Any]:
    players = []
    for seat, status in enumerate(vector["status"]):
        player = {
            "name": f"P{seat}",
            "status": status,
            "dublees": seat in vector.get("dublee_losers", ()),
            "owes_foul": seat in vector.get("carry", ()),
            "threw": seat in vector.get("thrown", ()),
        }
        if "points" in vector:
            player["points"] = vector["points"][seat]
        else:
            player["hand"] = " ".join(vector["hands"][seat])
            player["exposed"] = vector.get("exposed", [[]] * 5)[seat]
        players.append(player)
    request = rules_keys(vector) | {
        "winner": vector["winner"],
        "finish": "dublees" if vector.get("dublee_win") else "sets",
        "better": vector.get("better", False),
        "players": players,
    }
    return request | ({"tiplu": vector["tiplu"]} if "tiplu" in vector else {})


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["id"] for vector in VECTORS])
def test_vectors(vector: dict[str, Any]) -> None:
    request = score_request(vector) if vector["kind"] == "score" else deal_request(vector)
    answer = ask("score", request).answer
    assert ask_lines("score", [request]) == [answer]
    points = [player["points"] for player in answer["players"]]
    nets = [player["net"] for player in answer["players"]]
    assert answer["total"] == sum(points)
    assert sum(nets) == 0
    for player in answer["players"]:
        assert player["points"] == sum(item["points"] for item in player["items"])
    match vector["kind"]:
        case "score":
            assert points[1] == vector["expect"], vector["why"]
        case "settle":
            assert nets == vector["expect"], vector["why"]
        case _:
            assert points == vector["expect"]["points"], vector["why"]
            assert nets == vector["expect"]["net"], vector["why"]


def deal(*players: dict[str, Any], **keys: Any) -> dict[str, Any]:
    """Return a valid request with some parts replaced."""
    good = ({"status": "seen", "hand": "10C JC QC"}, {"status": "unseen", "hand": "QC 4S"})
    return {"tiplu": "JC", "winner": 0, "finish": "sets", "players": players or good, **keys}


def seen(**keys: Any) -> dict[str, Any]:
    return {"status": "seen", "hand": "", **keys}


def test_items_are_named_card_by_card() -> None:
    first, second = ask("score", deal()).answer["players"]
    assert first == {
        "name": "Seat 0",
        "status": "winner",
        "points": 10,
        "maal": 8,
        "payment": 10,
        "foul": 0,
        "net": 18,
        "items": [{"what": "marriage", "cards": "10C JC QC", "points": 10}],
    }
    assert second["items"] == [{"what": "poplu", "cards": "QC", "points": 2}]


def test_cards_are_read_in_lower_case_with_t_for_ten_and_as_lists() -> None:
    strange = deal(seen(hand=["tc", "jc", "Qc"]), {"status": "unseen", "hand": "qc 4s"}, tiplu="jC")
    assert ask("score", strange).answer == ask("score", deal()).answer


def test_laid_sets_count_as_laid_marriages() -> None:
    def points(**laid: Any) -> int:
        winner = seen(hand="10C JC QC 3S 4S 5S", **laid)
        return ask("score", deal(winner, seen(), preset="wikipedia")).answer["players"][0]["points"]

    assert points() == points(laid=["3S 4S 5S"]) == points(laid_marriages=0) == 10
    assert points(laid=["JC 10C QC", "3S 4S 5S"]) == points(laid_marriages=1) == 15
    assert points(laid=["10C JC QC KC 9C", "6H 6H 6H"]) == 15


def test_a_dismissed_deal_scores_nothing_but_the_foul_each() -> None:
    fouler = {"status": "foul", "hand": "JC"}
    request = deal(seen(hand="JC"), fouler, seen(), winner=None, finish=None, preset="gambiter")
    answer = ask("score", request).answer
    assert [player["net"] for player in answer["players"]] == [15, -30, 15]
    assert answer["total"] == 0
    assert not any(player["items"] for player in answer["players"])


def test_the_answer_names_the_winner_and_how_the_deal_ended() -> None:
    won = ask("score", deal(seen(name="Asha"), seen(name="Bina"), winner=1, better=True)).answer
    assert {key: won[key] for key in won.keys() - {"players"}} == {
        "total": 0,
        "factor": 2,
        "winner": "Bina",
        "dismissed": False,
    }
    dismissed = ask("score", deal(seen(), seen(), winner=None, finish=None)).answer
    assert (dismissed["winner"], dismissed["dismissed"], dismissed["factor"]) == (None, True, 1)


def test_a_throw_foul_is_paid_in_a_dismissed_deal_too() -> None:
    request = deal(
        seen(threw=True), seen(), winner=None, finish=None, preset="gambiter", options={"throw_foul": True}
    )
    assert [player["foul"] for player in ask("score", request).answer["players"]] == [-15, 15]


def test_three_sets_may_be_laid_and_an_exposed_tunnela_of_man_cards_is_one() -> None:
    laid = ["MAN MAN MAN", "3S 4S 5S", "6H 6H 6H"]
    hand = "MAN MAN MAN 3S 4S 5S 6H 6H 6H 8D 10D QD"
    player = seen(hand=hand, exposed=["MAN"], laid=laid)
    answer = ask("score", deal(player, seen(), options={"man_cards": 3})).answer
    assert [item["what"] for item in answer["players"][0]["items"]] == ["man_tunnela"]


def test_a_winner_by_dublees_has_shown_them() -> None:
    silent = deal(seen(), seen(), finish="dublees", options={"dublee_game": "double"})
    said = deal(seen(dublees=True), seen(), finish="dublees", options={"dublee_game": "double"})
    inferred = deal(seen(dublees=True), seen(), finish=None, options={"dublee_game": "double"})
    assert ask("score", silent).answer == ask("score", said).answer == ask("score", inferred).answer
    assert ask("score", silent).answer["players"][0]["net"] == 16


def test_the_table_for_people() -> None:
    request = deal(
        seen(name="आशा", hand="10C JC QC"), {"status": "unseen", "name": "Bina\x1b[2J", "hand": "QC 4S"}
    )
    lines = run("score", "-", given=json.dumps(request)).out.splitlines()
    assert lines == [
        "player       status  points  maal  payment  foul  net",
        "आशा          winner      10    +8      +10     0  +18  marriage 10C JC QC 10",
        "Bina\\x1b[2J  unseen       2    -8      -10     0  -18  poplu QC 2",
        "total                    12",
    ]


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (deal(colour="red"), "there is no key 'colour'"),
        (deal(seen(hat=1), seen()), "players[0]: there is no key 'hat'"),
        (deal({"hand": ""}, seen()), "players[0]: the key 'status' is missing"),
        ({"winner": 0}, "the key 'players' is missing"),
        (deal(players=[]), "a deal has 2 to 5 players; 0 take part in this one"),
        (deal(players=None), "players: "),
        (deal(seen()), "a deal has 2 to 5 players; 1 take part in this one"),
        (deal(*[seen()] * 6), "a deal has 2 to 5 players; 6 take part in this one"),
        (deal(*[seen()] * 11), "players: "),
        (deal(seen(), {"status": "pause"}), "a deal has 2 to 5 players; 1 take part in this one"),
        (deal(preset="bhoos"), f"there is no preset 'bhoos'; there are {NAMES}"),
        (deal(preset=3), "preset: "),
        (deal(options={"self": 1}), "options: there is no key 'self'"),
        (deal(options={"alter": "yes"}), "options: alter: "),
        (deal(options={"alter": 1}), "options: alter: "),
        (deal(options={"seen_pay": True}), "options: seen_pay: "),
        (deal(options={"seen_pay": 51}), "options: seen_pay: "),
        (deal(options={"seen_pay": 10**19}), "options: seen_pay: "),
        (
            deal(options={"throw_foul": True}),
            "options: throw_foul and false_claim 'foul' need a form of foul: choose next, each or total",
        ),
        (deal(options=[1]), "options: "),
        (deal(tiplu="MAN"), "the tiplu is a card of the packs, never MAN"),
        (deal(tiplu="??"), "tiplu: a card is written as text, rank then suit, such as 10C"),
        (deal(tiplu="11C"), "tiplu: '11C' is no card; write rank and suit, such as 10C, or MAN or MASTER"),
        (deal(tiplu=9), "tiplu: a card is written as text, rank then suit, such as 10C"),
        (deal(tiplu=None), "hands cannot be counted without the tiplu"),
        (deal(winner=2), "winner is 2, but the players count from 0 to 1"),
        (deal(winner=-1), "winner: "),
        (deal(winner=True), "winner: "),
        (deal(winner="0"), "winner: "),
        (deal(winner=0.0), "winner: "),
        (deal(winner=1), "the winner must have seen, but players[1] is 'unseen'"),
        (deal({"status": "foul"}, seen()), "the winner must have seen, but players[0] is 'foul'"),
        (deal({"status": "pause"}, seen(), seen()), "the winner must have seen, but players[0] is 'pause'"),
        (deal(winner=None), "a deal that ended with a finish has a winner"),
        (deal(finish="groups"), "finish: "),
        (deal(better=1), "better: "),
        (deal(finish="dublees", preset="wikipedia-2010"), "these rules know no dublees"),
        (deal(seen(), seen(dublees=True), preset="wikipedia-2010"), "these rules know no dublees"),
        (deal(seen(dublees=True), seen()), "a winner who showed dublees finishes by dublees"),
        (
            deal(seen(laid=["3S 4S 5S"]), seen(), finish="dublees"),
            "a winner who laid sets does not finish by dublees",
        ),
        (deal(seen(status="Seen"), seen()), "players[0].status: must be 'seen', 'unseen', 'foul' or 'pause'"),
        (
            deal(seen(hand=3), seen()),
            "players[0].hand: cards are written as text, such as '10C JC QC', or as a list of such texts",
        ),
        (
            deal(seen(hand=["JC", 4]), seen()),
            "players[0].hand: a card is written as text, rank then suit, such as 10C",
        ),
        (
            deal(seen(hand="JC ZZ"), seen()),
            "players[0].hand: 'ZZ' is no card; write rank and suit, such as 10C, or MAN or MASTER",
        ),
        (deal(seen(hand="2S " * 200), seen()), "players[0].hand: there are never more than 160 cards"),
        (deal({"status": "seen"}, seen()), "players[0]: give a hand or points"),
        (deal(seen(points=3), seen()), "players[0]: give a hand or points, not both"),
        (deal({"status": "seen", "points": -3}, seen()), "players[0].points: "),
        (deal({"status": "seen", "points": 2.5}, seen()), "players[0].points: "),
        (
            deal(seen(hand="2S 3S 4S 5S " * 3 + "KH " * 3 + "QH " * 3 + "9D 9C 9S 8S"), seen()),
            "players[0]: a final hand has 21 cards or, in part, fewer: this one has 22",
        ),
        (deal(seen(hand="2S 2S 2S"), seen(hand="2S")), "2S: 4 of it, but these rules have 3"),
        (
            deal(seen(hand="JC JC JC"), seen()),
            "JC: 4 of it, the tiplu itself included, but these rules have 3",
        ),
        (deal(seen(hand="MAN"), seen()), "MAN: 1 of it, but these rules have 0"),
        (
            deal(seen(exposed=["6H"], hand="6H 6H"), seen()),
            "players[0]: the exposed tunnela 6H needs three of them in the hand",
        ),
        (
            deal(seen(exposed=["6H", "6H"], hand="6H 6H 6H"), seen()),
            "players[0]: the tunnela 6H is exposed once; name its face once",
        ),
        (
            deal(seen(laid=["3S 4S 6S"], hand="3S 4S 6S"), seen()),
            "players[0]: 3S 4S 6S is no pure set under these rules",
        ),
        (deal(seen(laid=[""]), seen()), "players[0]: nothing is no pure set under these rules"),
        (deal(seen(laid=["3S 4S 5S"] * 4), seen()), "3S: 4 of it, but these rules have 3"),
        (deal(seen(laid=["3S 4S 5S"] * 3 + ["2D 3D 4D"]), seen()), "players[0]: a show lays 3 sets, not 4"),
        (deal(seen(laid=["10C JC QC"]), seen()), "players[0]: the laid cards must be in the hand too"),
        (
            deal(seen(hand=f"10C JC QC {FULL}", laid=["3H 4H 5H"]), seen()),
            "players[0]: the laid cards must be in the hand too",
        ),
        (deal(seen(laid_marriages=1), seen()), "players[0]: the laid cards must be in the hand too"),
        (
            deal(seen(laid_marriages=1, hand="KH AH 2H"), seen(), tiplu="AH"),
            "players[0]: with an ace as tiplu the marriage is no run, so none can be laid",
        ),
        (deal(seen(laid_marriages=3), seen()), "players[0].laid_marriages: "),
        (
            deal(seen(laid_marriages=0, laid=["3S 4S 5S"]), seen()),
            "players[0]: give laid or laid_marriages, not both",
        ),
        (
            deal(seen(), seen(dublees=True, laid=["3S 4S 5S"])),
            "players[1]: a seat that showed dublees has laid no sets",
        ),
        (
            deal(seen(), {"status": "unseen", "hand": "", "dublees": True}),
            "players[1]: a seat that has not seen has laid nothing and shown no dublees",
        ),
        (
            deal(seen(), {"status": "unseen", "hand": "", "laid_marriages": 1}),
            "players[1]: a seat that has not seen has laid nothing and shown no dublees",
        ),
        (
            deal(seen(), seen(), {"status": "pause", "hand": "JC"}),
            "players[2]: a seat that sits out has no cards, no points and no throw foul",
        ),
        (
            deal(seen(), seen(), {"status": "pause", "points": 4}),
            "players[2]: a seat that sits out has no cards, no points and no throw foul",
        ),
        *(
            (
                deal(seen(), seen(), {"status": "pause", **told}),
                "players[2]: a seat that sits out has no cards, no points and no throw foul",
            )
            for told in ({"exposed": ["6H"]}, {"dublees": True}, {"threw": True})
        ),
        (
            deal(seen(), {"status": "seen", "points": 4, "exposed": ["6H"]}),
            "players[1]: points count exposed tunnelas and laid sets already: leave them out",
        ),
        (
            deal(seen(), {"status": "seen", "points": 4, "laid_marriages": 1}),
            "players[1]: points count exposed tunnelas and laid sets already: leave them out",
        ),
        (
            deal(seen(), seen(owes_foul=True)),
            "owes_foul: under these rules no foul is carried to the next deal (foul is not 'next')",
        ),
        (
            deal(seen(), seen(threw=True), preset="gambiter"),
            "threw: under these rules no throw is a foul (throw_foul is off)",
        ),
        (
            deal(seen(), {"status": "unseen", "hand": "", "threw": True}),
            "players[1]: a seat that has not seen cannot know what it throws: it has no throw foul",
        ),
        (deal(seen(name="a" * 61), seen()), "players[0].name: "),
        (deal(seen(name="\ud800"), seen()), "players[0].name: "),
        (
            deal(**dict.fromkeys("abcde", 1)),
            "there is no key 'a'; there is no key 'b'; there is no key 'c'; and 2 more",
        ),
        ([deal()], "the request must be a JSON object, such as {...}"),
        (None, "the request must be a JSON object, such as {...}"),
    ],
)
def test_what_is_refused(request_: object, said: str) -> None:
    """Where only the place is said, pydantic tells what is wrong there."""
    told = refusal("score", request_)
    assert told.startswith(said) if said.endswith(": ") else told == said


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (b"", "the request is empty"),
        (b"{", "the request is not JSON"),
        (b'{"winner": NaN}', "NaN is no number"),
        (b'{"winner": -Infinity}', "-Infinity is no number"),
        (b'{"winner": 1, "winner": 0}', "the key 'winner' stands twice"),
        (b'{"name": "\xff"}', "not UTF-8"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"winner": ' + b"9" * 5000 + b"}", "too many digits"),
        (b" " * (1 << 20) + b"{}", "too large"),
    ],
)
def test_requests_that_are_no_json(given: bytes, said: str) -> None:
    answered = run("score", "-", given=given)
    assert answered.status == 2
    assert said in answered.err
    assert len(answered.err) < 600
    line = run("score", "--jsonl", "-", given=given + b"\n").answers
    assert said in line[0]["error"]
    assert len(line) == 1


def test_a_key_that_stands_twice_is_found_among_as_many_as_fit() -> None:
    """Each key was once compared with all others, which took minutes."""
    keys = (f'"{number:x}":0,' for number in range(90_000))
    with pytest.raises(ValueError, match="the key 'last' stands twice"):
        parse(f'{{{"".join(keys)}"last":0,"last":1}}'.encode())


def test_a_wrong_line_does_not_stop_the_others() -> None:
    good = json.dumps(deal()).encode()
    given = b"\n".join([good, b"", b"x" * (10 << 20), b"{}", good])
    answers = run("score", "--jsonl", "-", given=given).answers
    assert len(answers) == 5
    assert answers[0] == answers[4] == ask("score", deal()).answer
    assert [set(answer) for answer in answers[1:4]] == [{"error"}] * 3


def test_dublees_need_as_many_players_as_at_the_table() -> None:
    players = [seen(dublees=True), seen(), seen()]
    refused = run(
        "score", "-", "--json", given=json.dumps(deal(*players, preset="wikipedia", finish="dublees"))
    )
    said = "dublees: under these rules they need 4 players; 3 take part"
    assert refused.err == f"python -m marriage score: {said}\n"
    assert (
        run(
            "score",
            "-",
            "--json",
            given=json.dumps(deal(*players, seen(), preset="wikipedia", finish="dublees")),
        ).status
        == 0
    )


def test_there_is_no_dead_hand_where_nothing_is_a_foul() -> None:
    request = deal(seen(), {"status": "foul"}, seen())
    said = "status 'foul': under these rules nothing is a foul (foul is off)"
    assert run("score", "-", "--json", given=json.dumps(request)).err == f"python -m marriage score: {said}\n"
    assert run("score", "-", "--json", given=json.dumps(request | {"preset": "gambiter"})).status == 0


def test_the_table_lists_the_items_in_words() -> None:
    request = deal(
        seen(hand="10C JC QC 6H 6H 6H", exposed=["6H"], laid_marriages=1), seen(), preset="wikipedia"
    )
    first = run("score", "-", given=json.dumps(request)).out.splitlines()[1]
    assert first.endswith("  tunnela 6H 6H 6H 5; laid marriage 10C JC QC 15")


def test_the_table_says_that_a_deal_was_dismissed_and_how_often_it_counts() -> None:
    dismissed = deal(seen(), seen(), winner=None, finish=None)
    assert run("score", "-", given=json.dumps(dismissed)).out.splitlines()[-1].split() == [
        "total",
        "0",
        "dismissed",
    ]
    better = deal(seen(), seen(), better=True)
    assert run("score", "-", given=json.dumps(better)).out.splitlines()[-1].endswith("counts 2-fold")


def test_without_a_file_it_says_what_it_needs() -> None:
    said = "score needs a FILE with the end of a deal, or - for standard input"
    assert run("score") == (2, "", f"python -m marriage score: {said}\n")
