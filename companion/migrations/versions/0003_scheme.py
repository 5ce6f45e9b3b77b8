"""What a match is worth over a night."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("night", sa.Column("scheme", sa.String, nullable=False, server_default="beaten"))
