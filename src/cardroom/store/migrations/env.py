"""Alembic's entry: migrations run on the connection that `cardroom.store.migrate` hands over."""

from __future__ import annotations

from alembic import context

from cardroom.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=False,  # the caller's transaction holds all of it
)
context.run_migrations()
