"""Nights, people, matches and the log that is only ever added to."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

WHEN = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "night",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("token", sa.String, nullable=False),
        sa.Column("code", sa.String, nullable=False),
        sa.Column("joining", sa.Boolean, nullable=False),
        sa.Column("host_id", sa.String),
        sa.Column("created_at", WHEN, nullable=False),
        sa.UniqueConstraint("token", name="uq_night_token"),
        sa.UniqueConstraint("code", name="uq_night_code"),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("night_id", sa.String, sa.ForeignKey("night.id", name="fk_person_night_id_night"), nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("key", sa.String),
        sa.Column("watching", sa.Boolean, nullable=False),
        sa.Column("phone", sa.String),
        sa.Column("code", sa.String, nullable=False),
        sa.Column("joined_at", WHEN, nullable=False),
        sa.Column("removed_at", WHEN),
        sa.UniqueConstraint("night_id", "key", name="uq_person_night_id_key"),
    )
    op.create_index("ix_person_night_id", "person", ["night_id"])
    op.create_table(
        "claim",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("night_id", sa.String, sa.ForeignKey("night.id", name="fk_claim_night_id_night"), nullable=False),
        sa.Column("person_id", sa.String, sa.ForeignKey("person.id", name="fk_claim_person_id_person"), nullable=False),
        sa.Column("phone", sa.String, nullable=False),
        sa.Column("asked_at", WHEN, nullable=False),
        sa.Column("answered_at", WHEN),
    )
    op.create_index("ix_claim_night_id", "claim", ["night_id"])
    op.create_table(
        "match",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("night_id", sa.String, sa.ForeignKey("night.id", name="fk_match_night_id_night"), nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("seats", sa.JSON, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("started_at", WHEN, nullable=False),
        sa.Column("started_by", sa.String),
        sa.Column("finished_at", WHEN),
        sa.Column("call", sa.JSON),
        sa.Column("result", sa.JSON),
    )
    op.create_index("ix_match_night_id", "match", ["night_id"])
    op.create_table(
        "entry",
        sa.Column("match_id", sa.String, sa.ForeignKey("match.id", name="fk_entry_match_id_match"), nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("data", sa.JSON),
        sa.Column("of", sa.Integer),
        sa.Column("by", sa.String),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("at", WHEN, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "n", name="pk_entry"),
        sa.UniqueConstraint("match_id", "key", name="uq_entry_match_id_key"),
        sa.CheckConstraint("kind IN ('act', 'undo', 'amend')", name="kind"),
    )
    _only_ever_added(op.get_bind().dialect.name)


def _only_ever_added(dialect: str) -> None:
    if dialect == "postgresql":
        op.execute("CREATE SEQUENCE tick INCREMENT BY 1000")  # room for a process to tell two of its own states apart
        op.execute(
            "CREATE FUNCTION entry_only_added() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'lines of the log are only ever added'; END $$"
        )
        for change, each in (("UPDATE", "ROW"), ("DELETE", "ROW"), ("TRUNCATE", "STATEMENT")):
            op.execute(
                f"CREATE TRIGGER entry_no_{change.lower()} BEFORE {change} ON entry FOR EACH {each} EXECUTE FUNCTION entry_only_added()"
            )
        return
    for change in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER entry_no_{change.lower()} BEFORE {change} ON entry "
            "BEGIN SELECT RAISE(ABORT, 'lines of the log are only ever added'); END"
        )
    op.execute(  # REPLACE would delete without asking the trigger above
        "CREATE TRIGGER entry_no_replace BEFORE INSERT ON entry "
        "WHEN EXISTS (SELECT 1 FROM entry WHERE match_id = NEW.match_id AND (n = NEW.n OR key = NEW.key)) "
        "BEGIN SELECT RAISE(ABORT, 'lines of the log are only ever added'); END"
    )
