"""People over several nights: two names of one person, one name of two, and those who were forgotten."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

WHEN = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column("person", sa.Column("who", sa.String))
    op.add_column("person", sa.Column("forgotten_at", WHEN))
    op.create_table(
        "same",
        sa.Column("who", sa.String, primary_key=True),
        sa.Column("of", sa.String, nullable=False),
        sa.Column("at", WHEN, nullable=False),
    )
    op.create_index("ix_match_finished_at", "match", ["finished_at"])
