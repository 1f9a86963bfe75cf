"""`python -m bot` runs the bot and its operators' commands."""

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
from bot.clock import ServerClock, SystemClock
from bot.command_name import program
from bot.commands import CommandsRefusedError
from bot.delivery.card_emojis import CardEmojiUploads
from bot.delivery.discord_calls import MissingAccessError, RetryLaterError
from bot.history.stats import recompute
from bot.logs import set_up_logs
from bot.memory import share_pools
from bot.operations.copying import all_copies, copied, copies_folder
from bot.operations.doctor import examine
from bot.operations.start_errors import discord_fault, store_fault
from bot.rest import limit_calls, point_at_server
from bot.services import wire
from bot.settings import OfflineSettings, Settings, SettingsError, load_settings, server_url
from bot.words.texts import KnownEmojis
from data.errors import (
    RestoreInterrupted,
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreLockedError,
    StoreLost,
    StoreTooNewError,
    StoreTooOldError,
    StoreUnavailableError,
    StoreUnreachable,
)
from data.files import named_file_faults
from data.sqlite.backups import back_up, restore
from data.sqlite.opening import look
from data.store import Place, Store
from data.transfer import PlaceUnusable, TransferRefused, transfer
from marriage import __version__

SWITCH_S = 0.0005
"""The longest time, in seconds, that a computing thread may delay the event loop.

With Python's default of 5 ms the delays add up: while a computer player thought, one round trip in a hundred
took 30 ms. Now it takes less than one.
"""

log = structlog.get_logger("bot")


Work = Callable[[Settings, Store], Awaitable[int]]


_REFUSED_FOR_GOOD = {4004, 4010, 4011, 4012, 4013, 4014}
"""Gateway close codes that make reconnecting useless: the token was revoked, or an intent is not allowed."""


class Exit(IntEnum):
    """Exit codes, after sysexits.h and shells; a supervisor restarts only after 69 and 70."""

    OK = 0
    DATA = 65
    UNREACHABLE = 69
    FAULT = 70
    LOCKED = 75
    CONFIG = 78
    INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m bot", description="Tiplu, a Discord bot that hosts Marriage."
    )
    parser.add_argument("--version", action="version", version=f"Tiplu {__version__}")
    parser.set_defaults(act=_serve_discord, accept_loss=False)
    add_commands(parser.add_subparsers(metavar="COMMAND").add_parser)
    asked = parser.parse_args(arguments)
    return asked.act(asked)


def add_commands(add_parser: Callable[..., argparse.ArgumentParser]) -> None:
    """Add every command of the bot.

    The parsed arguments' `act` runs the command and returns the exit code.
    """

    def add(name: str, act: Callable[[argparse.Namespace], int], what: str) -> argparse.ArgumentParser:
        command = add_parser(name, help=what, description=what)
        command.set_defaults(act=act)
        return command

    run = add("run", _serve_discord, "serve Discord until it is told to stop")
    run.add_argument(
        "--accept-loss",
        action="store_true",
        help="go on though games are missing from the file; see docs/faults.md",
    )
    add("doctor", _doctor, "check everything the bot needs, and say what to do where it is missing")
    backup = add("backup", _back_up, "make a verified copy of all games; the bot may go on running")
    backup.add_argument("target", type=Path, help="the file to make")
    add("backups", _list_copies, "list the copies that the bot has made by itself")
    restored = add("restore", _restore, "put a copy back; the bot must not run")
    restored.add_argument("copy", type=Path, help="a file that `backup` or the bot itself has made")
    add(
        "forget-again",
        _forget_again,
        "after a copy of a server was put back: forget who was forgotten since it was made",
    )
    moved = add("transfer", _transfer, "copy all games between a file and a server; no bot may run")
    for name, what in (("source", "where they are"), ("target", "where nothing is yet")):
        moved.add_argument(name, type=_place, help=f"{what}: a file, or an address as for DATABASE_URL")
    add("recompute", _recompute, "recompute ratings, boards and achievements from the recorded deals")
    add("emojis", _emojis, "upload the small pictures of the cards now; `run` does it as well")


def _serve_discord(asked: argparse.Namespace) -> int:
    async def serve(settings: Settings) -> int:
        return await _opened(settings, _serve, accept_loss=asked.accept_loss, is_shared=settings.is_shared)

    return _with_settings(serve)


def _back_up(asked: argparse.Namespace) -> int:
    try:
        return _with_file(partial(_backed_up, target=asked.target))
    except KeyboardInterrupt:
        print("\nThe backup was given up.", file=sys.stderr)
        return Exit.INTERRUPTED


def _list_copies(_: argparse.Namespace) -> int:
    return _with_file(_copies_listed)


def _restore(asked: argparse.Namespace) -> int:
    return _with_file(partial(_restored, copy=asked.copy))


def _with_file(act: Callable[[Settings], Awaitable[int]]) -> int:
    async def of_file(settings: Settings) -> int:
        if settings.database_url is not None:
            why = "DATABASE_URL names a server, whose copies are made with pg_dump and put back with pg_restore."
            _tell(settings, "copy.of_server", f"{why} See docs/hosting.md.")
            return Exit.CONFIG
        return await act(settings)

    return _with_settings(of_file, OfflineSettings)


def _forget_again(_: argparse.Namespace) -> int:
    return _with_settings(partial(_opened, work=_forgotten_again), OfflineSettings)


def _place(text: str) -> Place:
    try:
        return server_url(text) if "://" in text else Path(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _transfer(asked: argparse.Namespace) -> int:
    try:
        copied = asyncio.run(transfer(asked.source, asked.target))
    except TransferRefused as error:
        print(f"Nothing was copied: {error}.", file=sys.stderr)
        return Exit.DATA
    except PlaceUnusable as error:
        print(f"Nothing was copied. {store_fault(error.why, error.place)}", file=sys.stderr)
        return _store_exit(error.why)[1]
    except StoreError as error:
        print(f"Nothing was copied. {error}", file=sys.stderr)
        return _store_exit(error)[1]
    for name, contents in copied.items():
        print(f"{contents.rows:>12,}  {name:<18} {contents.digest[:16]}")
    print(f"{asked.target} has everything that {asked.source} has")
    return Exit.OK


def _recompute(_: argparse.Namespace) -> int:
    return _with_settings(partial(_opened, work=_recomputed), OfflineSettings)


def _emojis(_: argparse.Namespace) -> int:
    return _with_settings(_emojis_uploaded)


def _doctor(_: argparse.Namespace) -> int:
    findings = asyncio.run(examine())
    print(*findings, sep="\n")
    return Exit.OK if all(finding.good or not finding.needed for finding in findings) else Exit.CONFIG


def _with_settings(act: Callable[[Settings], Awaitable[int]], kind: type[Settings] = Settings) -> int:
    try:
        settings = load_settings(kind)
    except SettingsError as error:
        print(f"The settings are not complete:\n{error}\nSee .env.example for each of them.", file=sys.stderr)
        return Exit.CONFIG
    set_up_logs(settings.log_level, settings.log_format, settings.discord_token.get_secret_value())
    try:
        return asyncio.run(_awaited(act(settings)))
    except StoreError as error:
        event, code = _store_exit(error)
        _tell(settings, event, store_fault(error, settings.place), path=str(settings.place))
        return code


def _store_exit(error: StoreError) -> tuple[str, Exit]:
    match error:
        case StoreLockedError():
            return "store.locked", Exit.LOCKED
        case StoreDamagedError() | StoreTooNewError() | StoreTooOldError() | StoreLost():
            return "store.refused", Exit.DATA
        case StoreUnreachable() | StoreBusyError():
            return "store.unreachable", Exit.UNREACHABLE
        case _:
            return "store.unusable", Exit.CONFIG


def _tell(settings: Settings, event: str, why: str, **ids: object) -> None:
    """Report why the bot ends: in the terminal if a person started it, else in the log."""
    if settings.log_format == "json" and not sys.stderr.isatty():
        log.error(event, why=why, **ids)
    else:
        print(f"\n{why}\n", file=sys.stderr)


async def _awaited(work: Awaitable[int]) -> int:
    return await work


async def _backed_up(settings: Settings, target: Path) -> int:
    try:
        await copied(partial(back_up, settings.database_path, target))
    except StoreUnavailableError as error:
        why = f"{settings.database_path} could not be copied to {target}: {error}. Look at both places, then try again."
        _tell(settings, "copy.failed", why, path=str(target))
        return Exit.CONFIG
    print(f"{target} is a whole copy of {settings.database_path}")
    return Exit.OK


async def _copies_listed(settings: Settings) -> int:
    copies = all_copies(settings)
    for copy in copies:
        print(f"{copy.made_at:%Y-%m-%d %H:%M} UTC  {copy.path.stat().st_size:>12,} bytes  {copy.path}")
    if not copies:
        print(f"There are none in {copies_folder(settings)}.")
    return Exit.OK


async def _restored(settings: Settings, copy: Path) -> int:
    try:
        with named_file_faults():
            is_there = _is_database(copy)
        why = None if is_there else f"There is no file {copy}. `{program()} backups` lists the copies."
    except StoreError as error:
        why = f"{copy} can't be put back: {error}. Nothing was changed; try another copy."
    if why is not None:
        _tell(settings, "copy.refused", why, path=str(copy))
        return Exit.DATA
    try:
        with named_file_faults():
            kept = await asyncio.to_thread(restore, settings.database_path, copy)
    except StoreLockedError:
        why = (
            f"Tiplu is running and uses {settings.database_path}. Stop it first, then put the copy back. Nothing was "
            "changed."
        )
        _tell(settings, "store.locked", why, path=str(settings.database_path))
        return Exit.LOCKED
    print(
        f"{settings.database_path} is as {copy} was"
        + (f"; what it was before is kept as {kept}" if kept else "")
    )
    return await _opened(settings, _forgotten_again)


def _is_database(copy: Path) -> bool:
    return copy.is_file() and look(copy) != "missing"


async def _forgotten_again(settings: Settings, store: Store) -> int:
    """Forget again the people who were forgotten after a copy was made, so that it does not bring them back."""
    if count := await wire(settings, store, SystemClock()).forgetting.forget_again():
        print(f"{count} who were forgotten after it was made are forgotten again")
    return Exit.OK


async def _opened(
    settings: Settings, work: Work, *, accept_loss: bool = False, is_shared: bool = False
) -> int:
    try:
        store = await Store.open(settings.place, is_shared=is_shared)
    except StoreLost as error:
        if not accept_loss or isinstance(error, RestoreInterrupted):
            raise
        log.warning("store.loss_accepted", why=str(error), before=error.before, now=error.now)
        store = await Store.open(settings.place, accept_loss=True)
    try:
        return await work(settings, store)
    finally:
        await store.close()


async def _recomputed(_: Settings, store: Store) -> int:
    done = await recompute(store)
    print(f"{done.deals} deals, {done.ratings} ratings: ", end="")
    print(
        "all as stored, to the last bit" if not done.differing else f"{done.differing} values were put right"
    )
    return Exit.OK


async def _emojis_uploaded(settings: Settings) -> int:
    """Upload the emojis without serving anyone. A running bot is not disturbed, and finds them there."""
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
    clock = SystemClock() if store.shard_locks is None else await ServerClock.begin(store.shard_locks.time)
    async with TipluBot(wire(settings, store, clock)) as bot:
        _stop_on_signals(bot)
        await bot.serve(settings.discord_token.get_secret_value())
        if bot.is_cut_off:
            return Exit.UNREACHABLE
        return Exit.FAULT if bot.worker_failed else Exit.OK


async def _connected(settings: Settings, work: Callable[[], Awaitable[int]]) -> int:
    """Run work that needs Discord. If Discord cannot be reached or refuses the bot, report why."""
    try:
        await point_at_server(settings)
        return await work()
    except (discord.LoginFailure, discord.PrivilegedIntentsRequired) as error:
        _tell(settings, "discord.refused", discord_fault(error, settings.rest_url))
        return Exit.CONFIG
    except discord.ConnectionClosed as error:
        _tell(settings, "discord.closed", discord_fault(error, settings.rest_url), code=error.code)
        return Exit.CONFIG if error.code in _REFUSED_FOR_GOOD else Exit.UNREACHABLE
    except (aiohttp.ClientError, discord.GatewayNotFound, discord.DiscordServerError, OSError) as error:
        _tell(settings, "discord.unreachable", discord_fault(error, settings.rest_url))
        return Exit.UNREACHABLE
    except (discord.HTTPException, discord.RateLimited, CommandsRefusedError) as error:
        _tell(settings, "discord.refused", discord_fault(error, settings.rest_url))
        return Exit.UNREACHABLE


def _stop_on_signals(bot: TipluBot) -> None:
    """Let SIGTERM and Ctrl-C close the bot.

    Committed changes are safe; unsent messages wait in the outbox.
    """

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
