"""When the host opened a night last: it counts as used from then on."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("night", sa.Column("opened_at", sa.DateTime(timezone=True)))
