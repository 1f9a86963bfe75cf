"""A playground and its bot in one event loop: no sockets, no threads, and no waiting.

    with asyncio.Runner(loop_factory=InProcessLoop) as runner:
        runner.run(scenario())

or, with pytest-asyncio, in a `conftest.py`:

    def pytest_asyncio_loop_factories(config, item):
        return {"in process": InProcessLoop}

The loop replaces everything that makes a test slow or non-deterministic:

* **The network.** Servers and clients of the loop are connected by in-memory transports. Other addresses
  refuse connections.
* **The time.** `loop.time()`, `time.monotonic()`, `time.perf_counter()` and `time.time()` show a clock that
  begins at `WALL`, ticks a microsecond with each reading, and jumps to the next timer when nothing else can
  be done. An hour of silence takes no time.
* **Executors.** `run_in_executor`, and so `asyncio.to_thread`, calls the function at once, in the loop's own
  thread.

So the same test makes the same requests in the same order. Anything that really happens elsewhere, such as in
a child process, is awaited inside `with loop.outside():`, where real time passes. If nothing more can happen,
the loop raises `StandstillError` with the stacks of its tasks instead of waiting forever.

It works for every library that uses the loop's own `create_server`, and opens connections with aiohttp or
with the loop's `create_connection`, such as aiohttp and discord.py.
"""

import asyncio
import errno
import io
import socket
import time
from collections import deque
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import Context, copy_context
from functools import partial
from selectors import BaseSelector, SelectorKey
from typing import Any, ClassVar, Final, cast

import aiohappyeyeballs
import aiohttp.connector

WALL: Final = 1_893_488_400.0
"""The time at which a loop begins: 2030-01-01 at 09:00 UTC, a Tuesday."""
TICK: Final = 1e-6
"""The seconds added at each reading of the clock, so that no two readings are equal."""
BEGIN: Final = 1_000.0
"""The monotonic time at which a loop begins."""
FIRST_PORT: Final = 50_000
HOST: Final = "127.0.0.1"
STANDSTILL_S: Final = 30.0
"""Real seconds to wait for another thread when the loop has nothing to do and no timer runs."""
LOOK_S: Final = 0.02
"""The real seconds between two checks of the timers while something happens outside."""

_REAL: Final[dict[str, Callable[[], float | int]]] = {
    name: getattr(time, name)
    for name in ("monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "time", "time_ns")
}
_EYEBALLS: Final = cast("Any", aiohappyeyeballs)
"""The library with which aiohttp connects sockets."""
_REAL_CONNECT: Final[Callable[..., Awaitable[socket.socket]]] = _EYEBALLS.start_connection


_CONNECTOR: Final = cast("Any", aiohttp.connector)
"""aiohttp's pool of connections. It has a name of its own for `time.monotonic`, by which it closes idle ones."""


class StandstillError(RuntimeError):
    """Raised if nothing is ready, no timer runs and nothing happens outside, so that the loop would wait forever."""


class VirtualClock:
    """A clock that advances when it is read, and when it is moved."""

    def __init__(self) -> None:
        self._passed = 0.0
        self._looks = 0

    def passed(self) -> float:
        """Return the seconds since the start; each reading is later than the last."""
        self._looks += 1
        return self._passed + self._looks * TICK

    def forward(self, seconds: float) -> None:
        """Let this many seconds pass at once."""
        self._passed += seconds

    def show(self) -> None:
        """Make the functions of the module `time` show this clock."""
        shown: dict[str, Callable[[], float | int]] = {
            "monotonic": lambda: BEGIN + self.passed(),
            "monotonic_ns": lambda: int((BEGIN + self.passed()) * 1e9),
            "perf_counter": lambda: BEGIN + self.passed(),
            "perf_counter_ns": lambda: int((BEGIN + self.passed()) * 1e9),
            "time": lambda: WALL + self.passed(),
            "time_ns": lambda: int((WALL + self.passed()) * 1e9),
        }
        _set_clocks(shown)


def _set_clocks(functions: dict[str, Callable[[], float | int]]) -> None:
    for name, function in functions.items():
        setattr(time, name, function)
    _CONNECTOR.monotonic = functions["monotonic"]


class _Pipe(asyncio.Transport):
    """One end of a connection. Written data reaches the other end's protocol in a later turn of the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, own: int, other: int, context: Context) -> None:
        """Its protocol is called in `context`, as a socket's is called in the context that opened the socket."""
        super().__init__({"sockname": (HOST, own), "peername": (HOST, other)})
        self._loop = loop
        self.context = context
        self._protocol: asyncio.Protocol | None = None
        self.arrived: deque[Callable[[], None]] = deque()
        self._is_reading = True
        self._is_closing = False
        self._is_lost = False
        self.peer: _Pipe = self
        self.on_sent: Callable[[bytes], None] | None = None

    # Called by protocols ---------------------------------------------------------------------------------

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Set the protocol that receives data from now on."""
        if not isinstance(protocol, asyncio.Protocol):
            raise TypeError("only protocols for streams are served in memory")
        self._protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        """Return the protocol that receives data."""
        return self.receiver

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send bytes; nothing happens on a closed connection."""
        if data and not self._is_closing:
            sent = bytes(data)
            if self.on_sent is not None:
                self.on_sent(sent)
            if not self._is_closing:  # `on_sent` may have closed it
                self._send(lambda: self.peer.receiver.data_received(sent))

    def writelines(self, list_of_data: Any) -> None:
        """Send several pieces at once."""
        self.write(b"".join(list_of_data))

    def write_eof(self) -> None:
        """Announce that no more will be written."""
        self._send(self.peer.hear_end)

    def can_write_eof(self) -> bool:
        """Return True, as a socket does."""
        return True

    def pause_reading(self) -> None:
        """Hold received data."""
        self._is_reading = False

    def resume_reading(self) -> None:
        """Pass on the data received meanwhile."""
        self._is_reading = True
        self._loop.call_soon(self.deliver, context=self.context)

    def is_reading(self) -> bool:
        """Return whether received data is passed on."""
        return self._is_reading and not self._is_closing

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Change nothing: writing never has to wait."""

    def get_write_buffer_size(self) -> int:
        """Return 0: everything is sent at once."""
        return 0

    def is_closing(self) -> bool:
        """Return whether the connection is closed or about to be."""
        return self._is_closing

    def close(self) -> None:
        """Close the connection; the other end first receives what was sent before."""
        if not self._is_closing:
            self._is_closing = True
            self._send(lambda: self.peer.hear_end(is_over=True))
            self._loop.call_soon(self._lose, context=self.context)

    def abort(self) -> None:
        """Close the connection: written data has been sent already, so none is dropped."""
        self.close()

    # Between the two ends ---------------------------------------------------------------------------

    @property
    def receiver(self) -> asyncio.Protocol:
        """The protocol of this end; raises RuntimeError before the connection has begun."""
        if self._protocol is None:
            raise RuntimeError("the connection has not begun")
        return self._protocol

    def begin(self, make: Callable[[], asyncio.BaseProtocol]) -> asyncio.BaseProtocol:
        """Make the protocol, notify it of its new connection, and return it."""
        return self.context.run(self._begin, make)

    def _begin(self, make: Callable[[], asyncio.BaseProtocol]) -> asyncio.BaseProtocol:
        protocol = make()
        self.set_protocol(protocol)
        protocol.connection_made(self)
        return protocol

    def _send(self, what: Callable[[], None]) -> None:
        self.peer.arrived.append(what)
        self._loop.call_soon(self.peer.deliver, context=self.peer.context)

    def deliver(self) -> None:
        """Pass received data to the protocol, unless reading is paused."""
        while self.arrived and self._is_reading and not self._is_lost:
            self.arrived.popleft()()

    def hear_end(self, *, is_over: bool = False) -> None:
        """Handle the other end's EOF; close this end too, unless its protocol wants to keep writing."""
        if self._is_closing:
            return
        wants_to_go_on = self.receiver.eof_received()
        if is_over or not wants_to_go_on:
            self._is_closing = True
            self._loop.call_soon(self._lose, context=self.context)
            if not is_over:
                self._send(lambda: self.peer.hear_end(is_over=True))

    def _lose(self) -> None:
        if not self._is_lost:
            self._is_lost = True
            self.receiver.connection_lost(None)


class _Address:
    """A stand-in for a socket if only its address is needed."""

    def __init__(self, port: int) -> None:
        self.port = port

    def getsockname(self) -> tuple[str, int]:
        return (HOST, self.port)


class _InProcessServer(asyncio.AbstractServer):
    """Listens on a port that exists in its loop only."""

    def __init__(
        self, ports: "dict[int, _InProcessServer]", port: int, make: Callable[[], asyncio.BaseProtocol]
    ) -> None:
        self._ports = ports
        self._port = port
        self._context = copy_context()
        self.make = make
        self.sockets: Sequence[_Address] = (_Address(port),)

    def close(self) -> None:
        self._ports.pop(self._port, None)
        self.sockets = ()

    def is_serving(self) -> bool:
        return bool(self.sockets)

    async def start_serving(self) -> None:
        """Do nothing: it serves from the start."""

    async def wait_closed(self) -> None:
        """Return at once, because connections end without help."""

    def new_context(self) -> Context:
        """Return a context for one more connection, like the one in which the server began."""
        return self._context.copy()


class _Target(socket.socket):
    """An unconnected socket. It carries the port in memory to `create_connection`."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self.port = port


class _Jumping(BaseSelector):
    """A selector that jumps to the next timer instead of sleeping."""

    def __init__(self, selector: BaseSelector, loop: "InProcessLoop") -> None:
        self._selector = selector
        self._loop = loop

    def register(self, fileobj: Any, events: int, data: Any = None) -> SelectorKey:
        return self._selector.register(fileobj, events, data)

    def unregister(self, fileobj: Any) -> SelectorKey:
        return self._selector.unregister(fileobj)

    def modify(self, fileobj: Any, events: int, data: Any = None) -> SelectorKey:
        return self._selector.modify(fileobj, events, data)

    def get_map(self) -> Any:
        return self._selector.get_map()

    def close(self) -> None:
        self._selector.close()

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        found = self._selector.select(0)
        if found or (timeout is not None and timeout <= 0):
            return found
        if self._loop.is_outside:
            began = _REAL["monotonic"]()
            found = self._selector.select(LOOK_S if timeout is None else min(timeout, LOOK_S))
            self._loop.clock.forward(_REAL["monotonic"]() - began)
            return found
        if timeout is not None:
            self._loop.clock.forward(timeout)
            return []
        found = self._selector.select(STANDSTILL_S)
        if not found:
            raise StandstillError(f"nothing can happen any more:\n{self._loop.stacks()}")
        return found


class InProcessLoop(asyncio.SelectorEventLoop):
    """The loop described in the module's docstring. Its clock is the process's clock while the loop exists."""

    current: ClassVar["InProcessLoop | None"] = None
    """The loop whose clock the process shows: the newest one."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self._ports: dict[int, _InProcessServer] = {}
        self._next_port = FIRST_PORT
        self._outside = 0
        self.on_request: Callable[[int, bytes], None] | None = None
        """Receives all data that clients send: the connection's number and the bytes."""
        super().__init__()
        self._selector: BaseSelector = _Jumping(self._selector, self)
        self.clock.show()
        _EYEBALLS.start_connection = _start_connection
        InProcessLoop.current = self

    def close(self) -> None:
        """Close the loop, and make the module `time` show the real time again."""
        if InProcessLoop.current is self:
            _set_clocks(_REAL)
            _EYEBALLS.start_connection = _REAL_CONNECT
            InProcessLoop.current = None
        super().close()

    # Time -------------------------------------------------------------------------------------------

    def time(self) -> float:
        """Return the monotonic clock's time in seconds."""
        return BEGIN + self.clock.passed()

    @property
    def is_outside(self) -> bool:
        """Whether something outside of this loop is being awaited."""
        return self._outside > 0

    @contextmanager
    def outside(self) -> Generator[None, None, None]:
        """Let real time pass within the block, in which something outside of the loop is awaited."""
        self._outside += 1
        try:
            yield
        finally:
            self._outside -= 1

    def stacks(self) -> str:
        """Return where each task of the loop waits."""
        text = io.StringIO()
        for task in sorted(asyncio.all_tasks(self), key=lambda task: task.get_name()):
            print(task.get_name(), file=text)
            task.print_stack(file=text)
        return text.getvalue()

    # Threads ----------------------------------------------------------------------------------------

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:  # noqa: ARG002 - as the loop defines it
        """Call the function at once; its result arrives in the loop's next turn."""
        future: asyncio.Future[Any] = self.create_future()
        try:
            result = func(*args)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is raised where the result is awaited
            self.call_soon(_unless_done(future.set_exception), error)
        else:
            self.call_soon(_unless_done(future.set_result), result)
        return future

    # The network ------------------------------------------------------------------------------------

    def listens(self, port: int) -> bool:
        """Return whether a server of this loop listens on the port."""
        return port in self._ports

    async def create_server(
        self,
        protocol_factory: Callable[[], asyncio.BaseProtocol],
        host: Any = None,  # noqa: ARG002 - every address is this loop's
        port: int | None = None,
        **_options: Any,
    ) -> Any:
        """Listen on a port of this loop, a free one for 0; raises OSError if it is taken."""
        if not port:
            port, self._next_port = self._next_port, self._next_port + 1
        if port in self._ports:
            raise OSError(errno.EADDRINUSE, f"port {port} is taken in this loop")
        server = self._ports[port] = _InProcessServer(self._ports, port, protocol_factory)
        return server

    async def create_connection(
        self,
        protocol_factory: Callable[[], asyncio.BaseProtocol],
        host: Any = None,
        port: int | None = None,
        *,
        sock: socket.socket | None = None,
        **_options: Any,
    ) -> tuple[asyncio.Transport, Any]:
        """Connect to a server of this loop; raises ConnectionRefusedError if none listens."""
        if isinstance(sock, _Target):
            port = sock.port
            sock.close()
        server = self._ports.get(port or 0)
        if server is None:
            raise ConnectionRefusedError(
                errno.ECONNREFUSED, f"nothing listens on {host or HOST}:{port} in this loop"
            )
        own, self._next_port = self._next_port, self._next_port + 1
        here = _Pipe(self, own, port or 0, copy_context())
        there = _Pipe(self, port or 0, own, server.new_context())
        here.peer, there.peer = there, here
        if self.on_request is not None:
            here.on_sent = partial(self.on_request, own)
        there.begin(server.make)
        return here, here.begin(protocol_factory)


def _unless_done(set_outcome: Callable[[Any], None]) -> Callable[[Any], None]:
    """Return a function that sets a future's outcome unless its waiter has given up."""

    def set_if_wanted(outcome: Any) -> None:
        try:
            set_outcome(outcome)
        except asyncio.InvalidStateError:
            return  # cancelled meanwhile

    return set_if_wanted


async def _start_connection(addr_infos: Sequence[Any], **options: Any) -> socket.socket:
    """Replace the function with which aiohttp connects sockets."""
    loop = asyncio.get_running_loop()
    if not isinstance(loop, InProcessLoop):
        return await _REAL_CONNECT(addr_infos, **options)
    *_, (host, port, *_) = addr_infos[0]
    if host != HOST or not loop.listens(port):
        raise ConnectionRefusedError(errno.ECONNREFUSED, f"nothing listens on {host}:{port} in this loop")
    return _Target(port)
