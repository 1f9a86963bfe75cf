"""Long work in separate processes, so that the event loop does only what it must."""
