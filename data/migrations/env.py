"""Runs the migrations on the connection that `data.opening` hands over, each in a transaction of its own."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    transactional_ddl=True,
    transaction_per_migration=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
