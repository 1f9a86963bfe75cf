"""The figures of each analysis beside it, so that a profile need not read whole analyses.

The analyses that there were are given up: each is made anew when somebody asks for it.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

STRICT: dict[str, Any] = {"sqlite_strict": True}


def upgrade() -> None:
    op.drop_table("analysis")
    op.create_table(
        "analysis",
        sa.Column("table_id", sa.Integer, primary_key=True),
        sa.Column("deal_no", sa.Integer, primary_key=True),
        sa.Column("person_id", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("analysis", sa.Text, nullable=False),
        sa.Column("at", sa.Integer, nullable=False),
        sa.Column("accuracy", sa.REAL),
        sa.Column("lost", sa.REAL, nullable=False),
        sa.ForeignKeyConstraint(["table_id", "deal_no"], ["deal.table_id", "deal.deal_no"]),
        sa.CheckConstraint("json_valid(analysis)"),
        **STRICT,
    )
    op.create_index("ix_analysis_person", "analysis", ["person_id", "at"])
