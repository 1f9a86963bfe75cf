"""Presets by their everyday names."""

import pytest

from bot.ui.presets import PRESET_CHOICES, preset_options
from bot.words.rules import EVERYDAY, preset_name
from bot.words.texts import catalogue
from marriage.rules import PRESETS
from tests.bot.words.test_texts import LANGUAGES


def test_every_preset_is_offered_once_and_stored_by_its_key():
    assert sorted(EVERYDAY) == sorted(PRESETS)
    assert [choice.value for choice in PRESET_CHOICES] == list(EVERYDAY)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_preset_has_a_name_of_its_own_that_people_use(language):
    texts = catalogue(language)
    names = [preset_name(preset, texts) for preset in EVERYDAY]
    assert len(set(names)) == len(names)
    assert not set(names) & set(PRESETS)
    options = preset_options("murder", texts)
    assert [option.label for option in options] == names
    assert [option.value for option in options if option.default] == ["murder"]
    assert all(option.description for option in options)


def test_the_everyday_variants_differ_from_the_simple_game_in_one_point():
    for name, maal in (("murder", "murder"), ("kidnap", "kidnap_points")):
        assert PRESETS[name] == PRESETS["pagat"].with_options(unseen_maal=maal)
