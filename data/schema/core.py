"""The current tables. `data/migrations` migrates a file to them, and a test compares the two."""

from typing import Annotated

from pydantic import Field, TypeAdapter
from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    MetaData,
    Table,
    text,
)

from data.dialect import (
    COUNTED,
    OF_PERSON,
    STRICT,
    Big,
    Flag,
    Json,
    Real,
    SharedJson,
    Text,
    is_flag,
    is_json,
    partial_index,
)
from data.preferences import GuildSettings, PersonSettings, TableOptions
from marriage.cards import Cards
from marriage.events import EVENT, Event
from marriage.puzzles import Puzzle
from marriage.rules import Rules
from marriage.scoring.home_game import HomeDeal

APPLICATION_ID = 0x5469_706C
"""Identifies the file as Tiplu's in its header: "Tipl"."""

metadata = MetaData()

RULES = SharedJson(TypeAdapter(Rules), "rules")
EVENT_BODY = Json(EVENT, "an event")
_EVENTS = TypeAdapter(tuple[Annotated[Event, Field(discriminator="event")], ...])

guild = Table(
    "guild",
    metadata,
    Column("id", Big, primary_key=True, autoincrement=False),
    Column("settings", Json(TypeAdapter(GuildSettings), "a server's settings"), nullable=False),
    Column("revision", Big, nullable=False),
    is_json("settings"),
    **STRICT,
)

person = Table(
    "person",
    metadata,
    Column("id", Big, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("dms_open", Flag, nullable=False),
    Column("updated_at", Big, nullable=False),
    Column("settings", Json(TypeAdapter(PersonSettings), "a person's settings"), nullable=False),
    Column("revision", Big, nullable=False),
    is_flag("dms_open"),
    is_json("settings"),
    **OF_PERSON,
)

# A press may come from a server that is not stored, so `guild_id` is no foreign key.
nickname = Table(
    "nickname",
    metadata,
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    Column("guild_id", Big, primary_key=True),
    Column("name", Text, nullable=False),
    Column("since", Big, nullable=False),
    **OF_PERSON,
)

direct_channel = Table(
    "direct_channel",
    metadata,
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    Column("channel_id", Big, nullable=False),
    **OF_PERSON,
)

game_table = Table(
    "game_table",
    metadata,
    Column("id", Big, primary_key=True),
    Column("guild_id", Big, ForeignKey("guild.id"), nullable=False),
    Column("channel_id", Big, nullable=False),
    Column("message_id", Big),
    Column("host_id", Big, ForeignKey("person.id"), nullable=False),
    Column("status", Text, nullable=False),
    Column("revision", Big, nullable=False),
    Column("rules", RULES, nullable=False),
    Column("rules_version", Big, nullable=False),
    Column("deal_no", Big, nullable=False),
    Column("dealer", Big, nullable=False),
    Column("created_at", Big, nullable=False),
    Column("closed_at", Big),
    Column("options", Json(TypeAdapter(TableOptions), "a table's options"), nullable=False),
    Column("thread_id", Big),
    Column("sign_id", Big),
    Column("thread_lack", Text),
    Column("opened_by", Big, ForeignKey("person.id"), nullable=False),
    Column("challenge", Flag, nullable=False),
    Column("mention_id", Big),
    Column("mention_channel_id", Big),
    Column("ended", Text),
    Column("version", Big, nullable=False),
    CheckConstraint("status IN ('lobby', 'playing', 'between', 'closed')"),
    CheckConstraint("ended IN ('vote', 'staff', 'abandoned', 'left')"),
    CheckConstraint("(status = 'closed') = (closed_at IS NOT NULL)"),
    is_flag("challenge"),
    is_json("rules"),
    is_json("options"),
    **COUNTED,
)
partial_index("ix_game_table_open", game_table.c.channel_id, where=game_table.c.closed_at.is_(None))
partial_index("ix_game_table_guild", game_table.c.guild_id, where=game_table.c.closed_at.is_(None))
Index("ix_game_table_channel", game_table.c.channel_id)
Index("ix_game_table_thread", game_table.c.thread_id)
Index("ix_game_table_host", game_table.c.host_id)
Index("ix_game_table_opener", game_table.c.opened_by)

seat = Table(
    "seat",
    metadata,
    Column("table_id", Big, ForeignKey("game_table.id"), primary_key=True),
    Column("seat", Big, primary_key=True),
    Column("person_id", Big, ForeignKey("person.id")),
    Column("name", Text, nullable=False),
    Column("computer", Text),
    Column("dm_channel_id", Big),
    Column("dm_message_id", Big),
    Column("left", Flag, nullable=False),
    Column("ready", Flag, nullable=False),
    Column("away", Flag, nullable=False),
    Column("ending", Flag, nullable=False),
    Column("stand_in", Text),
    Column("second_clock", Big),
    Column("sits_out", Flag, nullable=False),
    CheckConstraint("person_id IS NOT NULL OR computer IS NOT NULL"),
    is_flag('"left"'),
    is_flag("ready"),
    is_flag("away"),
    is_flag("ending"),
    CheckConstraint("stand_in IN ('whole', 'part')"),
    is_flag("sits_out"),
    **STRICT,
)
Index("ix_seat_person", seat.c.person_id)

bench = Table(
    "bench",
    metadata,
    Column("table_id", Big, ForeignKey("game_table.id"), primary_key=True),
    Column("number", Big, primary_key=True),
    Column("person_id", Big, ForeignKey("person.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("place", Big, nullable=False),
    Column("comes", Flag, nullable=False),
    Column("mixed", Text),
    is_flag("comes"),
    **STRICT,
)
Index("ix_bench_person", bench.c.person_id)

guest = Table(
    "guest",
    metadata,
    Column("table_id", Big, ForeignKey("game_table.id"), primary_key=True),
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    Column("standing", Text, nullable=False),
    CheckConstraint("standing IN ('invited', 'blocked')"),
    **STRICT,
)
Index("ix_guest_person", guest.c.person_id)

pinned = Table(
    "pinned",
    metadata,
    Column("table_id", Big, ForeignKey("game_table.id"), primary_key=True),
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    Column("deal_no", Big, nullable=False),
    Column("groups", Json(TypeAdapter(tuple[Cards, ...]), "a hand's groups"), nullable=False),
    Column("own_order", Json(TypeAdapter(tuple[Cards, ...]), "a hand's own order"), nullable=False),
    is_json("groups"),
    is_json("own_order"),
    **STRICT,
)
Index("ix_pinned_person", pinned.c.person_id)

staff_act = Table(
    "staff_act",
    metadata,
    Column("id", Big, primary_key=True),
    Column("guild_id", Big, ForeignKey("guild.id"), nullable=False),
    Column("table_id", Big, ForeignKey("game_table.id")),
    Column("person_id", Big, ForeignKey("person.id"), nullable=False),
    Column("act", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", Big, nullable=False),
    Column("target_id", Big, ForeignKey("person.id")),
    **COUNTED,
)
Index("ix_staff_act_guild", staff_act.c.guild_id, staff_act.c.at)

game_match = Table(
    "game_match",
    metadata,
    Column("table_id", Big, ForeignKey("game_table.id"), primary_key=True),
    Column("match_no", Big, primary_key=True),
    Column("deals", Big, nullable=False),
    Column("started_at", Big, nullable=False),
    Column("ended_at", Big),
    Column("ended", Text),
    CheckConstraint("ended IN ('played', 'vote', 'staff', 'abandoned', 'left', 'closed')"),
    CheckConstraint("(ended IS NULL) = (ended_at IS NULL)"),
    **STRICT,
)

deal = Table(
    "deal",
    metadata,
    Column("table_id", Big, ForeignKey("game_table.id"), primary_key=True),
    Column("deal_no", Big, primary_key=True),
    Column("seed", LargeBinary, nullable=False),
    Column("commitment", Text, nullable=False),
    Column("entropy", Json(TypeAdapter(list[str]), "entropy"), nullable=False),
    Column("former_seeds", Json(TypeAdapter(list[str]), "former seeds"), nullable=False),
    Column("shuffle_version", Big, nullable=False),
    Column("rules_version", Big, nullable=False),
    Column("rules", RULES, nullable=False),
    Column("dealer", Big, nullable=False),
    Column("started_at", Big, nullable=False),
    Column("ended_at", Big),
    Column("ended", Text),
    Column("match_no", Big),
    Column("match_deal", Big),
    Column("shared_at", Big),
    Column("board_set", Big),
    Column("board_no", Big),
    ForeignKeyConstraint(["table_id", "match_no"], ["game_match.table_id", "game_match.match_no"]),
    is_json("entropy"),
    is_json("former_seeds"),
    is_json("rules"),
    CheckConstraint("ended IN ('vote', 'staff', 'abandoned', 'left')"),
    CheckConstraint("(match_no IS NULL) = (match_deal IS NULL)"),
    CheckConstraint("(board_set IS NULL) = (board_no IS NULL)"),
    **STRICT,
)
partial_index("ix_deal_board", deal.c.board_set, where=deal.c.board_set.is_not(None))

event = Table(
    "event",
    metadata,
    Column("table_id", Big, primary_key=True),
    Column("deal_no", Big, primary_key=True),
    Column("seq", Big, primary_key=True),
    Column("type", Text, nullable=False),
    Column("version", Big, nullable=False),
    Column("body", EVENT_BODY, nullable=False),
    Column("actor", Big),
    Column("at", Big, nullable=False),
    Column("checksum", Big, nullable=False),
    ForeignKeyConstraint(["table_id", "deal_no"], ["deal.table_id", "deal.deal_no"]),
    is_json("body"),
    # A seat's number, because a Discord id would outlive the erasure of its person.
    CheckConstraint("actor BETWEEN 0 AND 99"),
    **STRICT,
)

result = Table(
    "result",
    metadata,
    Column("table_id", Big, primary_key=True),
    Column("deal_no", Big, primary_key=True),
    Column("seat", Big, primary_key=True),
    Column("person_id", Big, ForeignKey("person.id")),
    Column("name", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("points", Big, nullable=False),
    Column("payment", Big, nullable=False),
    Column("net", Big, nullable=False),
    Column("winner", Flag, nullable=False),
    ForeignKeyConstraint(["table_id", "deal_no"], ["deal.table_id", "deal.deal_no"]),
    CheckConstraint("status IN ('seen', 'unseen', 'foul', 'pause')"),
    is_flag("winner"),
    **STRICT,
)
Index("ix_result_person", result.c.person_id)

interaction_seen = Table(
    "interaction_seen",
    metadata,
    Column("interaction_id", Big, primary_key=True, autoincrement=False),
    Column("table_id", Big, ForeignKey("game_table.id")),
    Column("revision", Big, nullable=False),
    Column("answer", Text, nullable=False),
    Column("at", Big, nullable=False),
    **STRICT,
)
Index("ix_interaction_seen_at", interaction_seen.c.at)

deadline = Table(
    "deadline",
    metadata,
    Column("table_id", Big, ForeignKey("game_table.id"), primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("revision", Big, nullable=False),
    Column("due_at", Big, nullable=False),
    Column("set_at", Big, nullable=False),
    **STRICT,
)
Index("ix_deadline_due", deadline.c.due_at, deadline.c.table_id, deadline.c.kind)

outbox = Table(
    "outbox",
    metadata,
    Column("id", Big, primary_key=True),
    Column("subject", Text, nullable=False),
    Column("about", Big, nullable=False),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("seat", Big),
    Column("revision", Big, nullable=False),
    Column("attempts", Big, nullable=False),
    Column("queued_at", Big, nullable=False),
    Column("not_before", Big, nullable=False),
    Column("error", Text),
    Column("done_at", Big),
    **COUNTED,
)
OUTBOX_PENDING = text("done_at IS NULL")
partial_index(
    "ux_outbox_pending",
    outbox.c.subject,
    outbox.c.about,
    outbox.c.name,
    unique=True,
    where=OUTBOX_PENDING,
)
Index("ix_outbox_name", outbox.c.subject, outbox.c.about, outbox.c.name, outbox.c.done_at)
Index("ix_outbox_done", outbox.c.done_at)

score_session = Table(
    "score_session",
    metadata,
    Column("id", Big, primary_key=True),
    Column("guild_id", Big, ForeignKey("guild.id"), nullable=False),
    Column("channel_id", Big, nullable=False),
    Column("names", Json(TypeAdapter(tuple[str, ...]), "the names of a home game"), nullable=False),
    Column("revision", Big, nullable=False),
    Column("rules", RULES, nullable=False),
    Column("rules_version", Big, nullable=False),
    Column("draft", Text),
    Column("changed_at", Big, nullable=False),
    Column("closed_at", Big),
    is_json("names"),
    is_json("rules"),
    **COUNTED,
)
partial_index(
    "ux_score_session_open",
    score_session.c.channel_id,
    unique=True,
    where=score_session.c.closed_at.is_(None),
)
Index("ix_score_session_changed", score_session.c.changed_at)

score_keeper = Table(
    "score_keeper",
    metadata,
    Column("session_id", Big, ForeignKey("score_session.id"), primary_key=True),
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    **STRICT,
)
Index("ix_score_keeper_person", score_keeper.c.person_id)

score_entry = Table(
    "score_entry",
    metadata,
    Column("session_id", Big, ForeignKey("score_session.id"), primary_key=True),
    Column("number", Big, primary_key=True),
    Column("deal", Json(TypeAdapter(HomeDeal), "a deal of a home game"), nullable=False),
    Column("undone", Flag, nullable=False),
    Column("at", Big, nullable=False),
    is_json("deal"),
    is_flag("undone"),
    **STRICT,
)

attached_file = Table(
    "attached_file",
    metadata,
    Column("message_id", Big, primary_key=True, autoincrement=False),
    Column("id", Big, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    **STRICT,
)

practice = Table(
    "practice",
    metadata,
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    Column("revision", Big, nullable=False),
    Column("events", Json(_EVENTS, "a practice deal"), nullable=False),
    Column("at", Big, nullable=False),
    is_json("events"),
    **OF_PERSON,
)

meta = Table(
    "meta",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
    **STRICT,
)


board_set = Table(
    "board_set",
    metadata,
    Column("id", Big, primary_key=True),
    Column("guild_id", Big, ForeignKey("guild.id"), nullable=False),
    Column("day", Text),
    Column("rules", RULES, nullable=False),
    Column("seats", Big, nullable=False),
    Column("opened_at", Big, nullable=False),
    Column("closes_at", Big),
    Column("released_at", Big),
    is_json("rules"),
    CheckConstraint("(day IS NULL) = (closes_at IS NULL)"),
    **COUNTED,
)
Index("ix_board_set_day", board_set.c.guild_id, board_set.c.day)
partial_index("ix_board_set_sealed", board_set.c.id, where=board_set.c.released_at.is_(None))

board = Table(
    "board",
    metadata,
    Column("set_id", Big, ForeignKey("board_set.id"), primary_key=True),
    Column("number", Big, primary_key=True),
    Column("seed", LargeBinary, nullable=False),
    Column("commitment", Text, nullable=False),
    Column("entropy", Json(TypeAdapter(list[str]), "entropy"), nullable=False),
    is_json("entropy"),
    **STRICT,
)

board_table = Table(
    "board_table",
    metadata,
    Column("table_id", Big, ForeignKey("game_table.id"), primary_key=True),
    Column("set_id", Big, ForeignKey("board_set.id"), nullable=False),
    Column("place", Big, nullable=False),
    Column("done", Flag, nullable=False),
    is_flag("done"),
    **STRICT,
)
Index("ux_board_table_place", board_table.c.set_id, board_table.c.place, unique=True)

daily_try = Table(
    "daily_try",
    metadata,
    Column("set_id", Big, ForeignKey("board_set.id"), primary_key=True),
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    Column("table_id", Big, ForeignKey("game_table.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("net", Big),
    Column("finished", Flag),
    is_flag("finished"),
    CheckConstraint("(net IS NULL) = (finished IS NULL)"),
    **STRICT,
)
Index("ux_daily_try_table", daily_try.c.table_id, unique=True)
Index("ix_daily_try_person", daily_try.c.person_id)


puzzle = Table(
    "puzzle",
    metadata,
    Column("id", Big, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("goes_on", Flag, nullable=False),
    Column("seat", Big, nullable=False),
    Column("position", Text, nullable=False),
    Column("puzzle", Json(TypeAdapter(Puzzle), "a puzzle"), nullable=False),
    Column("source", Text, nullable=False),
    Column("person_id", Big, ForeignKey("person.id")),
    Column("mu", Real, nullable=False),
    Column("sigma", Real, nullable=False),
    Column("answers", Big, nullable=False),
    Column("correct", Big, nullable=False),
    Column("made_at", Big, nullable=False),
    Column("day", Text),
    CheckConstraint("kind IN ('card', 'sets', 'finish')"),
    is_flag("goes_on"),
    is_json("puzzle"),
    **COUNTED,
)
Index("ux_puzzle_source", puzzle.c.source, unique=True)
partial_index("ux_puzzle_day", puzzle.c.day, where=puzzle.c.day.is_not(None), unique=True)
partial_index("ix_puzzle_person", puzzle.c.person_id, where=puzzle.c.person_id.is_not(None))
partial_index("ix_puzzle_stock", puzzle.c.kind, puzzle.c.goes_on, where=puzzle.c.day.is_(None))

puzzle_answer = Table(
    "puzzle_answer",
    metadata,
    Column("puzzle_id", Big, ForeignKey("puzzle.id"), primary_key=True),
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    Column("choice", Big, nullable=False),
    Column("correct", Flag, nullable=False),
    Column("gained", Big, nullable=False),
    Column("at", Big, nullable=False),
    Column("day", Text),
    Column("shared", Flag, nullable=False),
    is_flag("correct"),
    is_flag("shared"),
    **STRICT,
)
Index("ix_puzzle_answer_person", puzzle_answer.c.person_id)

puzzle_player = Table(
    "puzzle_player",
    metadata,
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    Column("mu", Real, nullable=False),
    Column("sigma", Real, nullable=False),
    Column("answers", Big, nullable=False),
    Column("correct", Big, nullable=False),
    Column("offered", Big, ForeignKey("puzzle.id")),
    **OF_PERSON,
)


person_limit = Table(
    "person_limit",
    metadata,
    Column("id", Big, primary_key=True),
    Column("digest", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("about", Big, nullable=False),
    Column("until", Big),
    CheckConstraint(
        "kind IN ('table', 'challenge', 'daily', 'puzzle', 'block', 'invite', 'season', 'ban', 'erasure', 'entry', 'proposal', 'home_game')"
    ),
    CheckConstraint("until IS NOT NULL OR kind IN ('block', 'invite', 'season', 'ban')"),
    **COUNTED,
)
Index("ix_person_limit_digest", person_limit.c.digest, person_limit.c.kind)
Index("ix_person_limit_until", person_limit.c.until)
Index("ix_person_limit_about", person_limit.c.about, person_limit.c.kind)

erasure = Table("erasure", metadata, Column("mark", Text, primary_key=True), **STRICT)
"""The marks of requests to be forgotten that the database contains; none names a person."""

public_message = Table(
    "public_message",
    metadata,
    Column("message_id", Big, primary_key=True, autoincrement=False),
    Column("channel_id", Big, nullable=False),
    Column("kind", Text, nullable=False),
    Column("about", Big, nullable=False),
    CheckConstraint("kind IN ('day', 'score')"),
    **STRICT,
)
Index("ix_public_message_about", public_message.c.kind, public_message.c.about)

week_post = Table(
    "week_post",
    metadata,
    Column("message_id", Big, primary_key=True, autoincrement=False),
    Column("channel_id", Big, nullable=False),
    Column("guild_id", Big, ForeignKey("guild.id"), nullable=False),
    Column("monday", Big, nullable=False),
    Column("week", Text, nullable=False),
    **STRICT,
)
Index("ix_week_post_guild", week_post.c.guild_id, week_post.c.week)
