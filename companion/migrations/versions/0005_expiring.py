"""Old nights may go where many are hosted: PostgreSQL lets lines of the log be deleted in a transaction that says it is for that."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return  # a laptop keeps everything
    op.execute(
        "CREATE OR REPLACE FUNCTION entry_only_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "IF TG_OP = 'DELETE' AND current_setting('companion.expiring', true) = 'on' THEN RETURN OLD; END IF; "
        "RAISE EXCEPTION 'lines of the log are only ever added'; END $$"
    )
