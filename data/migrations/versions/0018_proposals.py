"""Record when each pod time was proposed, and keep a possible replacement next to a time that holds."""

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
    # When they were proposed is unknown. With their own time as that moment, they hold once everyone agrees,
    # as before.
    op.execute(
        "INSERT INTO pod_time (season, pod, proposal) SELECT season, pod,"
        " '{\"at\":' || at || ',\"since\":' || at || ',\"agreed\":' || agreed || '}' FROM pod_time_before"
    )
    op.drop_table("pod_time_before")
