"""The messages of a season as values, converted to stored text and back."""

from dataclasses import fields
from typing import get_args

import pytest

from data.outbox_keys import StoredKey, parse_key, season_key
from data.season_posts import (
    CalendarPost,
    ChannelPost,
    CheckInPost,
    CheckInReminder,
    FreeSeatNotice,
    FreeSeatPost,
    PersonalPost,
    PlayReminder,
    PublicPost,
    ReportNotice,
    ReportPost,
    SignupPost,
    TableNotice,
    parse_channel_post,
    parse_personal_post,
    parse_public_post,
)

POSTS = [post(*range(11, 11 + len(fields(post)))) for post in get_args(PublicPost | PersonalPost)]
"""One of each class, with all its fields."""


@pytest.mark.parametrize("post", POSTS, ids=lambda post: type(post).__name__)
def test_a_message_comes_back_from_the_outbox_as_it_was_asked_for(post: PublicPost | PersonalPost):
    key = season_key(3, post)
    assert (key.about, key.post) == (3, post)
    assert parse_key(key.stored) == key


def test_no_two_messages_have_the_same_text():
    for kind in (PublicPost, PersonalPost):
        words = [post.word for post in get_args(kind)]
        assert len(words) == len(set(words))
    assert len({post.text for post in POSTS}) == len(POSTS)


@pytest.mark.parametrize(
    ("text", "post"),
    [
        ("signup", SignupPost()),
        ("checkin:2", CheckInPost(2)),
        ("seat:7:12", FreeSeatPost(7, 12)),
        ("report:7", ReportPost(7)),
        ("event:7", CalendarPost(7)),
    ],
)
def test_public_messages_keep_the_text_of_earlier_versions(text: str, post: PublicPost):
    assert (post.text, parse_public_post(text)) == (text, post)


@pytest.mark.parametrize(
    ("text", "post"),
    [
        ("checkin:2:24:5", CheckInReminder(2, 24, 5)),
        ("seat:7:12:5", FreeSeatNotice(7, 12, 5)),
        ("report:7:1700000000000:5", ReportNotice(7, 1_700_000_000_000, 5)),
        ("open:2:5", TableNotice(2, 5)),
        ("open:2:5:31", TableNotice(2, 5, 31)),
        ("play:2:24:5", PlayReminder(2, 24, 5)),
        ("play:2:24:5:0", PlayReminder(2, 24, 5, 0)),
    ],
)
def test_direct_messages_keep_the_text_of_earlier_versions(text: str, post: PersonalPost):
    assert (post.text, parse_personal_post(text)) == (text, post)


@pytest.mark.parametrize(
    "text", ["", "signup:1", "round", "round:1:2", "round:x", "event:1", "open:1:2", "foo:1"]
)
def test_another_text_is_refused(text: str):
    with pytest.raises(ValueError, match="a season has no message"):
        parse_channel_post(text)


def test_every_message_in_the_channel_is_public():
    assert set(get_args(PublicPost)) == {*get_args(ChannelPost), CalendarPost}


@pytest.mark.parametrize(
    ("kind", "name"), [("shout", "shout"), ("hand", "hand"), ("hand", "hand:1:2:3"), ("post", "post:shout:1")]
)
def test_a_row_that_no_version_has_written_is_refused(kind: str, name: str):
    with pytest.raises(ValueError, match="the outbox has no key"):
        parse_key(StoredKey("table", 1, kind, name))
