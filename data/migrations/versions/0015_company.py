"""Figures of deals with computers, and on how many days people have played.

The bot works them out from the recorded deals at its next start, as it does for every new version of the statistics.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

STRICT: dict[str, Any] = {"sqlite_strict": True}


def upgrade() -> None:
    op.create_table(
        "computer_tally",
        sa.Column("guild_id", sa.Integer, sa.ForeignKey("guild.id"), primary_key=True),
        sa.Column("period", sa.Text, primary_key=True),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        *(
            sa.Column(name, sa.Integer, nullable=False)
            for name in ("deals", "wins", "seen", "dublees", "net", "squares", "maal")
        ),
        **STRICT,
    )
    op.create_index("ix_computer_tally_person", "computer_tally", ["person_id", "period"])
    _days()


def _days() -> None:
    op.rename_table("career", "career_before")
    op.create_table(
        "career",
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("deals", sa.Integer, nullable=False),
        sa.Column("wins_running", sa.Integer, nullable=False),
        sa.Column("behind_table", sa.Integer),
        sa.Column("behind_match", sa.Integer),
        sa.Column("days", sa.Integer, nullable=False),
        sa.Column("last_day", sa.Integer),
        sa.Column("days_running", sa.Integer, nullable=False),
        sa.Column("most_running", sa.Integer, nullable=False),
        **STRICT,
    )
    op.execute("INSERT INTO career SELECT *, 0, NULL, 0, 0 FROM career_before")
    op.drop_table("career_before")
