"""What Discord demands of messages, components, commands and modals."""
