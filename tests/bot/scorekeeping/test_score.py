"""A scorekeeper's typed input, read and written again; the message at its fullest."""

import traceback
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import UserError
from bot.panels.scorekeeping.score import deal_fields, deal_panel, names_fields, rules_fields, score_panel
from bot.scorekeeping.drafts import kept_in, kept_with
from bot.scorekeeping.score_text import Typed, read_deal, read_names, typed_of
from bot.scorekeeping.scorekeeper import ScoreSession
from bot.words.texts import texts
from data.errors import UnreadableValueError
from data.names import LONGEST_TO_TYPE
from data.repositories.score_sessions import ScoreEntryRow, ScoreSessionRow
from marriage.cards import CARDS, Card, parse_cards
from marriage.rules import PRESETS, preset
from marriage.scoring.home_game import HomeDeal, HomeSeat
from marriage.sheet import Status
from tests.fuzz.readers.typed import with_sorted_cards

NAMES = ("Asha", "Asha B", "राम", "C-3", "x" * LONGEST_TO_TYPE, "१")
FACES = st.sampled_from(CARDS[:54])


@st.composite
def seats(draw) -> HomeSeat:
    status = draw(st.sampled_from(Status))
    if status in (Status.PAUSE, Status.FOUL):
        return HomeSeat(status=status, threw=draw(st.booleans()))
    dublees = status is Status.SEEN and draw(st.booleans())
    if draw(st.booleans()):
        return HomeSeat(status=status, points=draw(st.none() | st.integers(0, 300)), dublees=dublees)
    exposed = draw(st.lists(st.sampled_from(CARDS[:52]), max_size=3, unique=True))
    single = draw(st.lists(FACES, min_size=1, max_size=9))
    return HomeSeat(
        status=status,
        cards=(*single, *(face for face in exposed for _ in range(3))),
        exposed=tuple(exposed),
        marriages=draw(st.integers(0, 2)),
        dublees=dublees,
        threw=draw(st.booleans()),
    )


@st.composite
def deals(draw) -> HomeDeal:
    table = draw(st.lists(seats(), min_size=6, max_size=6))
    seen = [place for place, seat in enumerate(table) if seat.status is Status.SEEN]
    winner = draw(st.sampled_from([None, *seen]))
    return HomeDeal.of(
        table, winner, tiplu=draw(st.none() | st.sampled_from(CARDS[:52])), better=draw(st.booleans())
    )


@given(deals())
def test_a_deal_that_is_written_into_the_form_is_read_as_it_was(deal: HomeDeal) -> None:
    typed = typed_of(deal, NAMES)
    assert len(typed.maal) <= 1_000
    assert kept_in(kept_with(None, typed), None) == typed
    assert with_sorted_cards(read_deal(typed, NAMES)) == with_sorted_cards(deal)


ODD = st.text(max_size=60) | st.lists(st.text(max_size=30), max_size=30) | st.none() | st.integers()


@given(st.dictionaries(st.sampled_from(["winner", "seen", "maal", "tiplu", "special"]), ODD))
def test_whatever_is_filled_in_is_read_or_politely_refused(fields: dict) -> None:
    typed = Typed.of(fields)
    try:
        deal = read_deal(typed, NAMES)
    except UserError as sorry:
        words = texts()(sorry.key, **sorry.values)
        assert 10 < len(words) < 500
    else:
        assert len(deal.seats) == len(NAMES)


@given(st.text(max_size=200))
def test_names_are_safe_and_short(text: str) -> None:
    try:
        names = read_names(text)
    except UserError:
        return
    assert 2 <= len(names) <= 6
    for name in names:
        assert 0 < len(name) <= LONGEST_TO_TYPE
        assert not set(name) & set(":=<>\n,;")


@pytest.mark.parametrize("said", ["राम: १२", "राम 12", "राम = 12", "  राम:12  ", "राम:\t12"])
def test_a_line_may_be_typed_in_many_ways(said: str) -> None:
    deal = read_deal(Typed(winner="2", maal=f"{said}\nAsha B: 3\nAsha 4"), NAMES)
    assert [deal.seats[place].points for place in (2, 1, 0)] == [12, 3, 4]


@pytest.mark.parametrize("name", ["राठौ\u095c", "राठौड\u093c", "Rene\u0301"])
def test_a_name_is_read_as_the_keyboard_has_written_it(name: str) -> None:
    deal = read_deal(Typed(winner="0", maal=f"{name}: 7"), read_names(f"{name}, Sita"))
    assert deal.seats[0].points == 7


def test_cards_may_be_typed_in_many_ways() -> None:
    deal = read_deal(Typed(winner="0", tiplu="j♣", maal="Asha: tc, JC q♣ LAID 9♥X3 9s×3 man"), NAMES)
    seat = deal.seats[0]
    assert sorted(seat.cards) == sorted(parse_cards("10C JC QC MAN 9H 9H 9H 9S 9S 9S"))
    assert (seat.exposed, seat.marriages, deal.tiplu) == (parse_cards("9H 9S"), 1, Card.parse("JC"))


def fullest(names: tuple[str, ...], *, closed: bool = False) -> ScoreSession:
    tiplu = Card.parse("10C")
    hand = parse_cards("9C 10C JC 10H 10D 10S 9C JC QH QH QH KH KH KH AH AH AH")
    table = [
        HomeSeat(status=Status.SEEN, cards=hand, exposed=parse_cards("QH KH AH"), marriages=1),
        HomeSeat(status=Status.UNSEEN, cards=parse_cards("9C JC 10H 10D 10S QD QD QD KD KD KD"),
                 exposed=parse_cards("QD KD")),
        *[HomeSeat(status=Status.SEEN, cards=parse_cards("MAN")) for _ in range(3)],
        HomeSeat(status=Status.FOUL),
    ]  # fmt: skip
    deal = HomeDeal.of(table, 0, tiplu=tiplu, better=True)
    rules = preset("kathmandu", man_cards=3, alter=True, throw_foul=True, better_factor=5)
    session = ScoreSessionRow(
        id=2**31, guild_id=2**63, channel_id=2**63, names=names, revision=2**31, rules=rules,
        rules_version=1, draft=None, changed_at=0, closed_at=1 if closed else None,
    )  # fmt: skip
    entries = tuple(ScoreEntryRow(session.id, number, deal, undone=False, at=0) for number in range(1, 101))
    return ScoreSession(session, frozenset({2**62, 2**63}), entries, undone=0, forgotten=0)


def test_a_refused_entry_that_the_disk_has_damaged_is_told_without_its_text() -> None:
    evening = fullest(NAMES)
    damaged = replace(evening.session, draft='{"winner": "0", "maal": "Bharatendu: 9C')
    with pytest.raises(UnreadableValueError) as caught:
        replace(evening, session=damaged).draft()
    assert "Bharatendu" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("sign", ["x", "*", "क"])
@pytest.mark.parametrize("closed", [False, True])
def test_the_fullest_message_fits(sign: str, closed: bool) -> None:
    evening = fullest(tuple(sign * (LONGEST_TO_TYPE - 1) + str(seat) for seat in range(6)), closed=closed)
    panel = score_panel(evening, None, texts(), note="x" * 150)
    size = panel.view.content_length()
    assert size <= 4_000
    told = [item.content for item in panel.view.walk_children() if hasattr(item, "content")]
    assert sum(len(event.encode()) + 12 for event in told) <= 10_170
    assert panel.view.total_children_count <= 40
    assert deal_panel(evening, 7, None, texts(), "x" * 150, may_correct=True).view.content_length() <= 4_000


@pytest.mark.parametrize("name", PRESETS)
def test_every_form_is_one_that_discord_takes(name: str) -> None:
    rules = PRESETS[name].with_options(throw_foul=PRESETS[name].foul != "off")
    before = fullest(tuple("x" * (LONGEST_TO_TYPE - 1) + str(seat) for seat in range(6)))
    evening = replace(before, session=replace(before.session, rules=rules))
    for fields in (
        deal_fields(evening, texts()),
        names_fields(evening, texts()),
        rules_fields(rules, texts()),
    ):
        assert 1 <= len(fields) <= 5
        for field in fields:
            made = field.to_component_dict()
            assert len(made["label"]) <= 45
            assert len(made.get("description") or "") <= 100
            inner = made["component"]
            assert len(inner.get("options") or []) <= 25
            assert all(len(option["label"]) <= 100 for option in inner.get("options") or [])
            assert len(inner.get("value") or "") <= (inner.get("max_length") or 4000)
