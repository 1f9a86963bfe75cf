"""Run the pending migrations, all or none, on the connection that `data.migrating` passes."""

from alembic import context

from data.errors import StoreDamagedError

connection = context.config.attributes["connection"]
context.configure(connection=connection, transactional_ddl=True, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
    if connection.dialect.name == "sqlite" and connection.exec_driver_sql("PRAGMA foreign_key_check").first():
        raise StoreDamagedError("after the migration some rows would point nowhere; nothing was changed")
