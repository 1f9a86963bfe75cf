"""The times of pods with the moment at which each was proposed, and beside a time that holds the one that may replace it."""

import sqlalchemy as sa
from alembic import op

from data.dialect import STRICT, Big, Text, is_json

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.execute("ALTER TABLE pod_time RENAME TO pod_time_before")
    op.create_table(
        "pod_time",
        sa.Column("season", Big, sa.ForeignKey("season.id"), primary_key=True),
        sa.Column("pod", Big, primary_key=True),
        sa.Column("proposal", Text, nullable=False),
        sa.Column("change", Text),
        is_json("proposal"),
        **STRICT,
    )
    # When they were proposed is not known: as proposed at their time, they hold once everybody agrees, as before.
    op.execute(
        "INSERT INTO pod_time (season, pod, proposal) SELECT season, pod,"
        " '{\"at\":' || at || ',\"since\":' || at || ',\"agreed\":' || agreed || '}' FROM pod_time_before"
    )
    op.drop_table("pod_time_before")
