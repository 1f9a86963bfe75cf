"""The running application: settings, tables in play, clocks, the outbox."""
