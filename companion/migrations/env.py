"""Alembic's way in: the connection is handed over by `companion.database`."""

from alembic import context
from sqlmodel import SQLModel

import companion.models

assert companion.models  # fills the metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=SQLModel.metadata, render_as_batch=True)
context.run_migrations()
