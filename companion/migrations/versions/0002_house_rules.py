"""House rules: named presets of options, and the disputes of a match with what the table answered."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

WHEN = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "preset",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("night_id", sa.String, sa.ForeignKey("night.id", name="fk_preset_night_id_night"), nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("saved_by", sa.String),
        sa.Column("saved_at", WHEN, nullable=False),
        sa.UniqueConstraint("night_id", "game", "key", name="uq_preset_night_id_game_key"),
    )
    op.create_index("ix_preset_night_id", "preset", ["night_id"])
    op.create_table(
        "dispute",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("match_id", sa.String, sa.ForeignKey("match.id", name="fk_dispute_match_id_match"), nullable=False),
        sa.Column("question", sa.JSON, nullable=False),
        sa.Column("facts", sa.String, nullable=False),
        sa.Column("ask", sa.String),
        sa.Column("since", sa.Integer, nullable=False),
        sa.Column("raised_by", sa.String, nullable=False),
        sa.Column("raised_at", WHEN, nullable=False),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("answer", sa.JSON),
        sa.Column("answered_by", sa.String),
        sa.Column("accepted", sa.JSON, nullable=False),
        sa.Column("settled_at", WHEN),
        sa.Column("settled_n", sa.Integer),
        sa.UniqueConstraint("match_id", "key", name="uq_dispute_match_id_key"),
    )
    op.create_index("ix_dispute_match_id", "dispute", ["match_id"])
    op.create_index("ix_dispute_facts", "dispute", ["facts"])
