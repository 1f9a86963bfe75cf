"""The table of analyses: how people played their finished deals."""

from sqlalchemy import Column, ForeignKey, ForeignKeyConstraint, Index, Table

from data.dialect import STRICT, Big, Real, is_json
from data.schema.columns import Json
from data.schema.core import metadata
from marriage.analysis.deal_analysis import ANALYSIS

analysis = Table(
    "analysis",
    metadata,
    Column("table_id", Big, primary_key=True),
    Column("deal_no", Big, primary_key=True),
    Column("person_id", Big, ForeignKey("person.id"), primary_key=True),
    Column("version", Big, nullable=False),
    Column("analysis", Json(ANALYSIS, "an analysis"), nullable=False),
    Column("at", Big, nullable=False),
    Column("accuracy", Real),
    Column("lost", Real, nullable=False),
    ForeignKeyConstraint(["table_id", "deal_no"], ["deal.table_id", "deal.deal_no"]),
    is_json("analysis"),
    **STRICT,
)
Index("ix_analysis_person", analysis.c.person_id, analysis.c.at)
