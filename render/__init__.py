"""Pictures of what one viewer may see."""
