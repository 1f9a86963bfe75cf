"""Pointing discord.py at the server that the settings name: Discord itself, or one that speaks its protocol."""

from http import HTTPStatus

import aiohttp
import discord
import discord.gateway
import discord.http
import yarl

from bot.settings import Settings


async def point_at_server(settings: Settings) -> None:
    """Set discord.py's addresses; by default they are Discord's own. Call it before creating the client.

    With a proxy, REST calls go there, and other connections are unaffected. Without a gateway address in the
    settings, the server is asked for it once. Raises aiohttp.ClientError, or discord.LoginFailure for a
    refused token.
    """
    discord.http.Route.BASE = settings.rest_url
    if settings.is_discord and settings.discord_gateway_url is None:
        return
    api = yarl.URL(settings.discord_api_url)
    gateway = settings.discord_gateway_url or await _ask_gateway(settings)
    # A shard that starts a new session uses this address, so it is always set.
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
    setattr(discord.Asset, "BASE", str(api.origin()))  # noqa: B010 - typed as a literal, meant to be set


async def _ask_gateway(settings: Settings) -> str:
    headers = {"Authorization": f"Bot {settings.discord_token.get_secret_value()}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.get(f"{settings.rest_url}/gateway/bot") as response,
    ):
        if response.status == HTTPStatus.UNAUTHORIZED:
            raise discord.LoginFailure("the token is refused")
        response.raise_for_status()
        answer = await response.json()
    return answer["url"]
