"""Discord's requirements for messages, components, commands and modals."""
