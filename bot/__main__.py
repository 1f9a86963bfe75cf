"""`python -m bot`: runs the bot, and the commands that its operators need."""

import argparse
import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from enum import IntEnum
from functools import partial
from pathlib import Path

import aiohttp
import discord
import structlog

from bot.app import TipluBot
from bot.clock import SystemClock
from bot.connect import point_at_server
from bot.delivery.card_emojis import CardEmojiUploads
from bot.delivery.discord_calls import MissingAccessError, RetryLaterError
from bot.doctor import examine
from bot.history.recompute import recompute
from bot.logs import set_up_logs
from bot.rest import limit_calls
from bot.services import wire
from bot.settings import Settings, SettingsError, load_settings
from bot.start_errors import discord_fault, store_fault
from bot.upkeep import share_pools
from bot.version import version
from bot.words.card_emojis import KnownEmojis
from data.errors import (
    StoreDamagedError,
    StoreError,
    StoreLockedError,
    StoreLost,
    StoreTooNewError,
    StoreUnavailableError,
)
from data.files.backups import back_up, restore
from data.files.faults import named_file_faults
from data.files.opening import look
from data.store import Store

SWITCH_S = 0.0005
"""How long a thread that computes, such as a computer player's, may keep the event loop waiting for its turn. Python's own 5 ms
add up: while a computer thought, one round trip in a hundred took 30 ms, and now takes less than one."""

log = structlog.get_logger("bot")


Work = Callable[[Settings, Store], Awaitable[int]]


_REFUSED_FOR_GOOD = {4004, 4010, 4011, 4012, 4013, 4014}
"""Close codes of the gateway after which reconnecting is useless: the token was revoked, or an intent is not allowed."""


class Exit(IntEnum):
    """Exit codes, after sysexits.h; a supervisor restarts only after 69 and 70."""

    OK = 0
    DATA = 65
    UNREACHABLE = 69
    FAULT = 70
    LOCKED = 75
    CONFIG = 78


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    asked = _parser().parse_args(arguments)
    match asked.command:
        case "doctor":
            return _doctor()
        case "backup":
            return _with_settings(partial(_back_up, target=asked.target))
        case "restore":
            return _with_settings(partial(_restore, copy=asked.copy))
        case "emojis":
            return _with_settings(_emojis)
        case "recompute":
            return _with_settings(partial(_opened, work=_recompute))
        case _:
            accept_loss = getattr(asked, "accept_loss", False)
            return _with_settings(partial(_opened, work=_serve, accept_loss=accept_loss))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bot", description="Tiplu, a Discord bot that hosts Marriage."
    )
    parser.add_argument("--version", action="version", version=f"Tiplu {version()}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    run = commands.add_parser("run", help="serve Discord until it is told to stop; the default")
    run.add_argument(
        "--accept-loss",
        action="store_true",
        help="go on though games are missing from the file; see docs/faults.md",
    )
    commands.add_parser(
        "doctor", help="check everything the bot needs, and say what to do where it is missing"
    )
    commands.add_parser(
        "recompute", help="work ratings, boards and achievements out anew from the recorded deals"
    )
    commands.add_parser("emojis", help="upload the small pictures of the cards now; `run` does it as well")
    backup = commands.add_parser("backup", help="a verified copy of all games; the bot may go on running")
    backup.add_argument("target", type=Path, help="the file to make")
    restored = commands.add_parser("restore", help="put such a copy back; the bot must not run")
    restored.add_argument("copy", type=Path, help="the file that `backup` made")
    return parser


def _doctor() -> int:
    findings = asyncio.run(examine())
    print(*findings, sep="\n")
    return Exit.OK if all(finding.good or not finding.needed for finding in findings) else Exit.CONFIG


def _with_settings(act: Callable[[Settings], Awaitable[int]]) -> int:
    try:
        settings = load_settings()
    except SettingsError as error:
        print(f"The settings are not complete:\n{error}\nSee .env.example for each of them.", file=sys.stderr)
        return Exit.CONFIG
    set_up_logs(settings.log_level, settings.log_format, settings.discord_token.get_secret_value())
    try:
        return asyncio.run(_awaited(act(settings)))
    except StoreError as error:
        event, code = _store_exit(error)
        _tell(settings, event, store_fault(error, settings.database_path), path=str(settings.database_path))
        return code


def _store_exit(error: StoreError) -> tuple[str, Exit]:
    match error:
        case StoreLockedError():
            return "store.locked", Exit.LOCKED
        case StoreDamagedError() | StoreTooNewError() | StoreLost():
            return "store.refused", Exit.DATA
        case _:
            return "store.unusable", Exit.CONFIG


def _tell(settings: Settings, event: str, why: str, **ids: object) -> None:
    """Tell why the bot ends: to a person in the terminal, else in the log."""
    if settings.log_format == "json":
        log.error(event, why=why, **ids)
    else:
        print(f"\n{why}\n", file=sys.stderr)


async def _awaited(work: Awaitable[int]) -> int:
    return await work


async def _back_up(settings: Settings, target: Path) -> int:
    try:
        with named_file_faults():
            await asyncio.to_thread(back_up, settings.database_path, target)
    except StoreUnavailableError as error:
        why = f"{settings.database_path} could not be copied to {target}: {error}. Look at both places, then try again."
        _tell(settings, "copy.failed", why, path=str(target))
        return Exit.CONFIG
    print(f"{target} is a whole copy of {settings.database_path}")
    return Exit.OK


async def _restore(settings: Settings, copy: Path) -> int:
    try:
        with named_file_faults():
            why = f"There is no {copy}." if look(copy) == "missing" else None
    except StoreError as error:
        why = f"{copy} can't be put back: {error}. Nothing was changed; try another copy."
    if why is not None:
        _tell(settings, "copy.refused", why, path=str(copy))
        return Exit.DATA
    with named_file_faults():
        kept = await asyncio.to_thread(restore, settings.database_path, copy)
    print(f"{settings.database_path} is as {copy} was" + (f"; what it was before is {kept}" if kept else ""))
    return Exit.OK


async def _opened(settings: Settings, work: Work, *, accept_loss: bool = False) -> int:
    try:
        store = await Store.open(settings.database_path)
    except StoreLost as error:
        if not accept_loss:
            raise
        log.warning("store.loss_accepted", why=str(error), before=error.before, now=error.now)
        store = await Store.open(settings.database_path, accept_loss=True)
    try:
        return await work(settings, store)
    finally:
        await store.close()


async def _recompute(_: Settings, store: Store) -> int:
    done = await recompute(store)
    print(f"{done.deals} deals, {done.ratings} ratings: ", end="")
    print(
        "all as stored, to the last bit" if not done.differing else f"{done.differing} values were put right"
    )
    return Exit.OK


async def _emojis(settings: Settings) -> int:
    """Upload without serving anybody. A running bot is not disturbed, and finds them there."""
    return await _connected(settings, partial(_upload_emojis, settings))


async def _upload_emojis(settings: Settings) -> int:
    async with discord.Client(intents=discord.Intents(guilds=True)) as client:
        limit_calls(client.http)
        await client.login(settings.discord_token.get_secret_value())
        try:
            done = await CardEmojiUploads(client, KnownEmojis()).look()
        except (RetryLaterError, MissingAccessError, discord.HTTPException) as error:
            why = f"Discord does not take the emojis now: {error}. Try again later; what was uploaded stays."
            _tell(settings, "card_emojis.refused", why)
            return Exit.UNREACHABLE
    print(f"{done.found} emojis were there, {done.uploaded} were uploaded, {done.removed} old ones removed")
    return Exit.OK


async def _serve(settings: Settings, store: Store) -> int:
    return await _connected(settings, partial(_run, settings, store))


async def _run(settings: Settings, store: Store) -> int:
    sys.setswitchinterval(SWITCH_S)
    share_pools()
    async with TipluBot(wire(settings, store, SystemClock())) as bot:
        _stop_on_signals(bot)
        await bot.start(settings.discord_token.get_secret_value())
        return Exit.FAULT if bot.worker_failed else Exit.OK


async def _connected(settings: Settings, work: Callable[[], Awaitable[int]]) -> int:
    """Do what needs Discord; if that can't be reached or refuses the bot, tell why."""
    try:
        await point_at_server(settings)
        return await work()
    except (discord.LoginFailure, discord.PrivilegedIntentsRequired) as error:
        _tell(settings, "discord.refused", discord_fault(error, settings.discord_api_url))
        return Exit.CONFIG
    except discord.ConnectionClosed as error:
        _tell(settings, "discord.closed", discord_fault(error, settings.discord_api_url), code=error.code)
        return Exit.CONFIG if error.code in _REFUSED_FOR_GOOD else Exit.UNREACHABLE
    except (aiohttp.ClientError, discord.GatewayNotFound, discord.DiscordServerError, OSError) as error:
        _tell(settings, "discord.unreachable", discord_fault(error, settings.discord_api_url))
        return Exit.UNREACHABLE


def _stop_on_signals(bot: TipluBot) -> None:
    """Let SIGTERM and Ctrl-C close the bot. What is committed is safe, and unsent messages wait in the outbox."""

    def stop() -> None:
        log.info("bot.stopping")
        bot.stop()

    loop = asyncio.get_running_loop()
    for signum in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(signum, stop)
        except (
            NotImplementedError
        ):  # Windows has no signal handlers on the loop; Ctrl-C still interrupts there
            return


if __name__ == "__main__":
    sys.exit(main())
