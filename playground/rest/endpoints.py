"""All endpoints of the REST API."""

from playground.rest import application, channels, guild, interactions, messages
from playground.rest.routing import Routes

ENDPOINTS = Routes(
    application.routes,
    channels.routes,
    guild.routes,
    interactions.routes,
    messages.routes,
)
