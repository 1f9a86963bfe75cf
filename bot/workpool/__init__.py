"""Long work in processes of its own, so that the event loop only does what it must."""
